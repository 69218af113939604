//! Units of work and their answers as messages.

use leitai_game::{Cause, Side};
use leitai_players::play::{Evidence, EvidenceList, Unit};
use leitai_players::player::{PvFault, PvWarning, PvWarnings, Symptoms};
use leitai_runs::tournament::{
    WireError, fingerprint, read_reply, read_unit, reply_message, unit_message,
};
use proptest::prelude::*;

use crate::common::records::{any_pair, sample};

proptest! {
    #[test]
    fn answers_come_back(
        mut row in any_pair(7),
        micros in any::<Vec<u32>>(),
        late: Option<u32>,
        reported in any::<Vec<u32>>(),
        fault in 0..PvFault::ALL.len(),
        word: String,
    ) {
        row.record.games[1].times.micros = micros;
        row.record.games[1].times.late = late;
        row.record.games[1].times.reported = reported;
        row.record.games[0].pv_warnings = vec![PvWarnings {
            side: Side::Second,
            count: 3,
            first: PvWarning {
                kind: PvFault::ALL[fault],
                cause: (fault == 1).then_some(Cause::Checkmate),
                word: word.clone(),
                ply: 8,
                position: word.clone(),
                line: word,
            },
        }];
        let times = row.record.games[1].times.clone();
        let message = reply_message("ab12", &Ok(row.clone())).unwrap();
        let again = read_reply("ab12", &message).unwrap().unwrap();
        // Equality ignores times.
        let [ours, theirs] = [&times, &again.record.games[1].times];
        prop_assert_eq!((&ours.micros, ours.late), (&theirs.micros, theirs.late));
        prop_assert_eq!(&ours.reported, &theirs.reported);
        prop_assert_eq!(again, row);
    }

    #[test]
    fn units_come_back_to_the_bit(pair: u64, plus: Vec<f64>, minus: Vec<f64>) {
        let finite = |values: Vec<f64>| values.into_iter().filter(|it| it.is_finite()).collect();
        let unit = Unit { pair, values: Some([finite(plus), finite(minus)]) };
        let message = unit_message("ab12", &unit).unwrap();
        prop_assert_eq!(read_unit("ab12", &message).unwrap(), unit);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = read_unit("ab12", &text);
        let _ = read_reply("ab12", &text);
    }
}

#[test]
fn unexpected_messages_are_refused() {
    let message = unit_message("ab12", &Unit::of(3)).unwrap();
    assert_eq!(message, "{\"run\":\"ab12\",\"pair\":3}");
    let other = read_unit("cd34", &message).unwrap_err();
    assert!(matches!(other, WireError::OtherRun(run) if run == "ab12"));
    let bad = "{\"run\":\"ab12\",\"pair\":3,\"values\":[[9221120237041090560],[]]}";
    assert!(matches!(read_unit("ab12", bad), Err(WireError::Content(_))));
}

/// A worker's evidence is transmitted up to its limits, and ignored in comparisons of answers.
#[test]
fn evidence_comes_along_bounded_and_is_never_compared() {
    let mut row = sample(7);
    let plain = fingerprint(&Ok(row.clone()));
    let symptoms = Symptoms {
        exit: Some("exit status 139".to_owned()),
        errors: vec!["x\u{1b}".repeat(9_000); 900],
        ..Symptoms::default()
    };
    row.record.evidence = EvidenceList(vec![Evidence {
        attempt: 2,
        game: 1,
        plies: 9,
        position: "8/8 w".to_owned(),
        legal_moves: 3,
        symptoms,
    }]);
    assert_eq!(fingerprint(&Ok(row.clone())), plain);
    let message = reply_message("ab12", &Ok(row)).unwrap();
    let again = read_reply("ab12", &message).unwrap().unwrap();
    let evidence = again.record.evidence.of(2, 1).expect("that of the game");
    assert_eq!(evidence.symptoms.exit.as_deref(), Some("exit status 139"));
    assert_eq!(evidence.symptoms.errors.len(), 5);
    assert!(message.len() > 10_000 && evidence.symptoms.errors[4].len() < 200);
    let stranger = message.replace("\"game\":1,\"plies\"", "\"game\":2,\"plies\"");
    assert_ne!(stranger, message);
    assert!(matches!(
        read_reply("ab12", &stranger),
        Err(WireError::Content(_))
    ));
}
