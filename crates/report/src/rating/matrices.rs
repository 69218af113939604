//! Cells of the tables about two players each.

use super::{MeetingRow, RatingList};
use crate::interval;
use leitai_base::foreign::shown;
use leitai_runs::figures::number::{or_dash, percent, signed};
use leitai_stats::Ranged;

/// A title, and the cells below it.
pub(super) type Titled = (&'static str, Vec<Vec<String>>);

/// The requested tables.
pub(super) fn tables(list: &RatingList) -> Vec<Titled> {
    let wanted = list.tables;
    let all = [
        wanted.cross_table.then(|| cross_table(list)),
        wanted.head_to_head.then(|| head_to_head(list)),
        (wanted.los && !list.los.is_empty()).then(|| los(list)),
    ];
    all.into_iter().flatten().collect()
}

fn cross_table(list: &RatingList) -> Titled {
    let mut cells = vec![vec![String::new(); list.ratings.len()]; list.ratings.len()];
    for row in &list.head_to_head {
        cells[row.places[0]][row.places[1]] = format!("{}/{}", row.points, row.games);
    }
    let title = "Cross table: points of the row's player against the column's, and their games.";
    (title, matrix(list, cells))
}

fn los(list: &RatingList) -> Titled {
    let cells = list.los.iter().enumerate().map(|(player, row)| {
        let mut cells: Vec<String> = row.iter().map(|los| percent(*los)).collect();
        cells[player].clear();
        cells
    });
    let title = "LOS: the likelihood that the row's player is stronger than the column's.";
    (title, matrix(list, cells.collect()))
}

/// A row and a column for each player; columns have the numbers of the rows.
fn matrix(list: &RatingList, cells: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let number = |at: usize| (at + 1).to_string();
    let columns = (0..list.ratings.len()).map(number);
    let header = ["#", "name"].map(str::to_owned).into_iter().chain(columns);
    let rows = list.ratings.iter().zip(cells).enumerate();
    let rows = rows.map(|(at, (row, cells))| {
        let head = [number(at), shown(&row.name).to_string()];
        head.into_iter().chain(cells).collect()
    });
    [header.collect()].into_iter().chain(rows).collect()
}

fn head_to_head(list: &RatingList) -> Titled {
    let header = "name,against,difference,95 %,LOS,score,games,W,D,L";
    let row = |row: &MeetingRow| {
        let count = |count: Option<u64>| or_dash(count, |count| count.to_string());
        let difference = Ranged::new(row.difference, row.difference_low, row.difference_high);
        vec![
            shown(&row.name).to_string(),
            shown(&row.against).to_string(),
            signed(row.difference),
            interval(&difference),
            percent(row.los),
            percent(Some(row.score)),
            row.games.to_string(),
            count(row.wins),
            count(row.draws),
            count(row.losses),
        ]
    };
    let rows = list.head_to_head.iter().map(row);
    let header = crate::columns::header(header);
    let title = "Head to head: difference and LOS are those of the ratings.";
    (title, [header].into_iter().chain(rows).collect())
}
