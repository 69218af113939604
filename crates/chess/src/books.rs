//! Well-known books of openings of Chess. None of them is included in this program.
//!
//! Counts and the digests of 96 digits are from `books.json` of
//! github.com/official-stockfish/books. The others are SHA-256 of the texts there, and of
//! `Books/*.json` of github.com/AndyGrant/OpenBench, where a book of the same name can have another
//! text.

use leitai_game::card::KnownBook;

/// The books, by name.
pub(super) const KNOWN_BOOKS: &[KnownBook] = &[
    KnownBook {
        file: "2moves_v1.epd",
        openings: 40_457,
        about: "two moves of each side",
        digests: &["dc91f225bc93e7ec091095bf8264595da33d36b9d3ac97ddd2dd54bc3a094fa4"],
    },
    KnownBook {
        file: "2moves_v1.epd",
        openings: 0,
        about: "two moves of each side",
        digests: &["7bec98239836f219dc41944a768c0506abed950aaec48da69a0782643e90f237"],
    },
    KnownBook {
        file: "2moves_v2.pgn",
        openings: 12_092,
        about: "two moves of each side",
        digests: &["c88dffb891e3cf126711792fb2e12a2fc97be3d995ba7bf44e49efe6f524b3bf"],
    },
    KnownBook {
        file: "3moves_FRC.epd",
        openings: 126_113,
        about: "Chess960, three moves of each side",
        digests: &["6bf81e1ada6a3306bbc8356f7bca1e2984a2828d658799992d5443b7179c934d"],
    },
    KnownBook {
        file: "4moves_noob.epd",
        openings: 0,
        about: "by noobpwnftw from his database of chess; balanced",
        digests: &["4be746a91e3f8af0c9344b1e72d611e9fcfe486843867a55760970a4896f284d"],
    },
    KnownBook {
        file: "4mvs_+90_+99.epd",
        openings: 635,
        about: "unbalanced on purpose, by about a pawn",
        digests: &["13f1637882d3631fc6919c2c8ab95989d1e6d620a335feccc727ea1d3d63e317"],
    },
    KnownBook {
        file: "6mvs_+90_+99.epd",
        openings: 2_933,
        about: "unbalanced on purpose, by about a pawn",
        digests: &["67caf3157cd6037b83ca78cacd05133a9477778f167f6bb813cc66c4b3fa39f7"],
    },
    KnownBook {
        file: "8moves_v3.epd",
        openings: 0,
        about: "eight moves of each side; balanced",
        digests: &["1f055af431656f09ee6a09d2448e0b876125f78bb7b404fca2031c403a1541e5"],
    },
    KnownBook {
        file: "8moves_v3.pgn",
        openings: 34_700,
        about: "eight moves of each side; balanced",
        digests: &["04fcce1488a94f3b7795cef6f74d89016eb278328897c1018e6162c5967273f5"],
    },
    KnownBook {
        file: "8mvs_+90_+99.epd",
        openings: 8_533,
        about: "unbalanced on purpose, by about a pawn",
        digests: &["a31921e4992bb1f83196303e528e47d443aa129c226346368d6c3432fccf9958"],
    },
    KnownBook {
        file: "8mvs_big_+80_+109.epd",
        openings: 25_857,
        about: "unbalanced on purpose, by about a pawn",
        digests: &["857144f31dcaf62e323ea6c9c60388beb4e660e009601041f1f040fb2848d70b"],
    },
    KnownBook {
        file: "bjbraams_chessdb_198350_lines.pgn",
        openings: 198_350,
        about: "by Bastiaan Braams from noobpwnftw's database of chess",
        digests: &["7b3ede8b13736df09c7c8560a16dd0068c7247cf8cbdec4052073329fff3fb0e"],
    },
    KnownBook {
        file: "closedpos.epd",
        openings: 165_735,
        about: "closed positions",
        digests: &["f59ae1b17e042a5ceb3c751673a54eb1503dfe1b67abd9b51027c38362424b25"],
    },
    KnownBook {
        file: "DFRC.epd",
        openings: 0,
        about: "the starts of double Chess960",
        digests: &["648c447ef40614a44d13b78911e81470d8ddb0d3b2711c1b180e990871f5db4f"],
    },
    KnownBook {
        file: "DFRC_4852_v1.epd",
        openings: 294_466,
        about: "double Chess960, chosen by a model of draws; unbalanced on purpose",
        digests: &["781a754f362827144d3044ae6384d5c7a3d0e84dd51d8d469539a9132add377a"],
    },
    KnownBook {
        file: "DFRC_openings.epd",
        openings: 921_600,
        about: "the starts of double Chess960",
        digests: &["e4f328c312aedc4edb7933c22e5acb7496f7b2faf90ff20d20075be7cab268e7"],
    },
    KnownBook {
        file: "Drawkiller_balanced_big.epd",
        openings: 15_962,
        about: "by Stefan Pohl; kings castled to opposite sides",
        digests: &["2bdee1d1565a8c1cd27d2f535599d4f56088f60426ce73ad15340eb147e52e59"],
    },
    KnownBook {
        file: "endgames.epd",
        openings: 157_846,
        about: "endgames",
        digests: &["71c7477ca8c8fb097bb565794d8b5ed8754532f8fb499e9d8b1d397692302a6a"],
    },
    KnownBook {
        file: "endgames_cdb95105.epd",
        openings: 0,
        about: "endgames",
        digests: &["1c478ddc2758714a25aeb3f8b1f8410466ba4b8a269ee76f96629a9327591fb8"],
    },
    KnownBook {
        file: "fortresses_150_250.epd",
        openings: 0,
        about: "fortresses",
        digests: &["41243800c6f80c6c167066e1eee5415a32c1bd17b4cace2596ce8dc9b26844b9"],
    },
    KnownBook {
        file: "FRC_openings.epd",
        openings: 960,
        about: "the starts of Chess960",
        digests: &["5909d5b346b80f216ad3996033918e2264e54d9a98b7ba5e9abe43da7661a8ba"],
    },
    KnownBook {
        file: "hybrid_book_beta.epd",
        openings: 28_054,
        about: "",
        digests: &["df604554d1a8e33b033b04c8343c2490c128c7a0fdd2a47b03a0255f4b369a40"],
    },
    KnownBook {
        file: "noob_2moves.epd",
        openings: 7_314,
        about: "by noobpwnftw from his database of chess; balanced",
        digests: &["2bb9eb7bb238dde96b15d8948cd42d5e4a8f09ca67360856ac7f0ebb81276b9b"],
    },
    KnownBook {
        file: "noob_3moves.epd",
        openings: 150_932,
        about: "by noobpwnftw from his database of chess; balanced",
        digests: &["2011193b4854e9a8cfdc05312ca2dbaffa6ceae3abbdee20e2ead2a18a603347"],
    },
    KnownBook {
        file: "noob_4moves.epd",
        openings: 1_837_365,
        about: "by noobpwnftw from his database of chess; balanced",
        digests: &[
            "131d75c7a2b7ec15651c5c9fdb93daa5a189616edd0b744a7ec1369a129f83760012319370b0afa49c0cd0c471b83833",
        ],
    },
    KnownBook {
        file: "noob_5moves.epd",
        openings: 455_287,
        about: "by noobpwnftw from his database of chess; balanced",
        digests: &[
            "2a4a154d4a2914f99f383c44f3696e950700e87b3bca12f1ffe29de280b7b27d60b31bd58ca15f2dec96035f3a50054d",
        ],
    },
    KnownBook {
        file: "Pohl.epd",
        openings: 0,
        about: "by Stefan Pohl; unbalanced on purpose",
        digests: &["b3e64e0dab84cf451a9ac7ef031f5a2bbcf16c7e21be95298fb03cbf021f5466"],
    },
    KnownBook {
        file: "Pohl.pgn",
        openings: 0,
        about: "by Stefan Pohl; unbalanced on purpose",
        digests: &["aaa7559c5d94e592fe5cca3586cb099d8fc5f13428d4ce84afc4b97811241c7e"],
    },
    KnownBook {
        file: "popularpos_lichess.epd",
        openings: 200_000,
        about: "positions that are often played on lichess.org",
        digests: &["aaff4943ed436256d28ac96e252838caf9141132c3fb90369ac43a395a1447de"],
    },
    KnownBook {
        file: "popularpos_lichess_v2.epd",
        openings: 200_000,
        about: "positions that are often played on lichess.org",
        digests: &["5346e97f2639c2c35a72deb68708bbc928d5a2511ac9115882d205ee589d12f1"],
    },
    KnownBook {
        file: "popularpos_lichess_v3.epd",
        openings: 200_000,
        about: "positions that are often played on lichess.org",
        digests: &["542db5bc35b2f51ebbfb2e091683e3d714fc56b9c6c8c07cb7eaab4a1bce9375"],
    },
    KnownBook {
        file: "stalemates_200d30_v1.epd",
        openings: 10_796,
        about: "positions near a stalemate",
        digests: &["b976cc3d33bd44eb01550bfa3174e2f662b60483d339dd73a2bcd735cb769d1c"],
    },
    KnownBook {
        file: "startpos.epd",
        openings: 1,
        about: "the usual start",
        digests: &["6c47d197300802706c715ba25b5e03e3808b31bd18af918af0acaf3451f88af1"],
    },
    KnownBook {
        file: "UHO_4060_v1.epd",
        openings: 246_759,
        about: "of the family that Stefan Pohl began; unbalanced on purpose",
        digests: &["85601466d7b51d9c79189c4b521ddeb91deadd2ea87af036ead688a4223aa152"],
    },
    KnownBook {
        file: "UHO_4060_v2.epd",
        openings: 242_201,
        about: "of the family that Stefan Pohl began; unbalanced on purpose",
        digests: &["36f2ec751ab78def6be1307430cbe2cd2ba65ade8d2aaae8f10e3df7d0ea83e1"],
    },
    KnownBook {
        file: "UHO_4060_v3.epd",
        openings: 242_201,
        about: "of the family that Stefan Pohl began; unbalanced on purpose",
        digests: &["419844f8c43a9c1fa3e279518bb79e89a5ed3d181f27c180ea9eb7444a1b9885"],
    },
    KnownBook {
        file: "UHO_4060_v4.epd",
        openings: 241_670,
        about: "of the family that Stefan Pohl began; unbalanced on purpose",
        digests: &["3f499996ff0b674a04f85f2634811d102dd53b5115841e8f11d18e1f550ba2ca"],
    },
    KnownBook {
        file: "UHO_4060_vB.epd",
        openings: 0,
        about: "of the family that Stefan Pohl began; unbalanced on purpose",
        digests: &["68c58a5f6a5e068a30376efa19a6bcd78f8ec8bb67ad984dd8d156abfa81de96"],
    },
    KnownBook {
        file: "UHO_4060_vT.epd",
        openings: 0,
        about: "of the family that Stefan Pohl began; unbalanced on purpose",
        digests: &["f5da53b91b85f5ddc72c352522a8056ab8bbf0058b67d799c4ca96effd5d5f26"],
    },
    KnownBook {
        file: "UHO_Lichess_4852_v1.epd",
        openings: 2_632_036,
        about: "from games of lichess.org, chosen by a model of draws; unbalanced on purpose",
        digests: &[
            "407014d4fdcbbab709afb513448ec7642545b28601582dce4ec06a658fc57d003a550a373261025ad0720788150025b9",
            "7a7f6470615a69c6cf23d565417701d38732876f480af90d67b42abade35644a",
        ],
    },
    KnownBook {
        file: "UHO_MEGA_2022_+110_+149.pgn",
        openings: 321_412,
        about: "of the family that Stefan Pohl began; unbalanced on purpose",
        digests: &[
            "a36a241ecc5269d79dfedd2d52fa8e218015f13da11b6d8f8d5f2feffaf215a35851302317127aa3533bd786debe49f4",
        ],
    },
    KnownBook {
        file: "UHO_XXL_+0.80_+1.09.pgn",
        openings: 261_028,
        about: "of the family that Stefan Pohl began; unbalanced on purpose",
        digests: &[
            "9649a062d6ee474843dab37428eca6f056012b9e752527572cfaca327c60a809b90d2551fb299b3158583928c4107170",
        ],
    },
    KnownBook {
        file: "UHO_XXL_+0.90_+1.19.pgn",
        openings: 223_070,
        about: "of the family that Stefan Pohl began; unbalanced on purpose",
        digests: &[
            "7a23b51056d606918ff58e6785792ecf2d24186cf5ecf787c7e0f754da7c5bb5f52d74cececac0cb324a61922c798554",
        ],
    },
    KnownBook {
        file: "UHO_XXL_+1.00_+1.29.pgn",
        openings: 186_098,
        about: "of the family that Stefan Pohl began; unbalanced on purpose",
        digests: &[
            "479af0e7b4214ab87d9ef4e19d7ca9d84155b9b6bd128337b885b3f31f819aa2a77f687da0a0fda2a8b48b44529f17b9",
        ],
    },
    KnownBook {
        file: "UHO_XXL_2022_+100_+129.pgn",
        openings: 284_035,
        about: "of the family that Stefan Pohl began; unbalanced on purpose",
        digests: &[
            "b3ec71241d447a3f31fa9897b702e17b7b299f529de5c7f141796edd08be761d80b9aa6b66ca88c587df50059556f826",
        ],
    },
    KnownBook {
        file: "UHO_XXL_2022_+110_+139.pgn",
        openings: 253_847,
        about: "of the family that Stefan Pohl began; unbalanced on purpose",
        digests: &[
            "c2bb317c92a6e0f1e73cf10bd0285b0af628b4bb6efa579f29706b83067030db4827d35d9389258ad4d5b518344948fa",
        ],
    },
    KnownBook {
        file: "UHO_XXL_2022_+120_+149.pgn",
        openings: 226_629,
        about: "of the family that Stefan Pohl began; unbalanced on purpose",
        digests: &[
            "ed925f8b0c162b2dfb84b78bbb7f62d523c7939062fd0e8199d2e94ba9c510b6e20ec0661b1c5c3f0f9635e14e1a258a",
        ],
    },
];
