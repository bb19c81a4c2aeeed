//! The TypeScript declarations of the wire types.

use std::fs;
use std::path::Path;

use ts_rs::{Config, ExportError, TS};

use crate::wire;

/// Writes a file for each wire type into `folder`, and an `index.ts` that exports them all.
///
/// # Errors
/// When the folder cannot be written.
pub fn declare(folder: &Path) -> Result<(), ExportError> {
    let config = Config::new().with_large_int("number").with_out_dir(folder);
    macro_rules! export {
        ($($wire:ty),* $(,)?) => { $(<$wire>::export_all(&config)?;)* };
    }
    export!(
        wire::SystemFace,
        wire::ScenarioFace,
        wire::Preview,
        wire::RuleFace,
        wire::Commitment,
        wire::NewGame,
        wire::Import,
        wire::Created,
        wire::OwnScenario,
        wire::AskInvitation,
        wire::Invited,
        wire::Claim,
        wire::Claimed,
        wire::Rename,
        wire::GameList,
        wire::Mine,
        wire::PutUp,
        wire::ChallengeFace,
        wire::ChallengeList,
        wire::Accept,
        wire::Accepted,
        wire::AskRematch,
        wire::AskRegister,
        wire::Ceremony,
        wire::EndCeremony,
        wire::AskRecover,
        wire::AccountFace,
        wire::Codes,
        wire::Adopt,
        wire::Adopted,
        wire::Resume,
        wire::OwnGames,
        wire::NoticeTerms,
        wire::NoticesFace,
        wire::AskLetter,
        wire::EndLetter,
        wire::AskPush,
        wire::AskWebhook,
        wire::Mute,
        wire::OrderFace,
        wire::AskReport,
        wire::ReportChallenge,
        wire::Tie,
        wire::OwnOrder,
        wire::Appeal,
        wire::ReportFace,
        wire::PersonFace,
        wire::AppealFace,
        wire::AuditFace,
        wire::TakeMeasure,
        wire::Because,
        wire::AnswerAppeal,
        wire::AskRated,
        wire::OwnRatings,
        wire::SystemRatings,
        wire::AtZero,
        wire::Zone,
        wire::PutOrders,
        wire::OrdersFace,
        wire::Act,
        wire::TakeBack,
        wire::AnswerUndo,
        wire::Resign,
        wire::Acted,
        wire::AskCheck,
        wire::AskOdds,
        wire::AskSealed,
        wire::AskHint,
        wire::ReviewFace,
        players::Hint,
        wire::AskDemonstration,
        wire::Demonstration,
        wire::AskLesson,
        wire::LessonFace,
        wire::StudyTerms,
        wire::AskStudy,
        wire::StudyFace,
        wire::Say,
        wire::DiceProof,
        wire::ClientMessage,
        wire::ServerMessage,
        wire::Problem,
        game::board::Ask,
        game::board::Overlay,
        game::odds::OddsReport,
        game::odds::SealedOdds,
        game::luck::Luck,
    );
    let mut names: Vec<String> = fs::read_dir(folder)?
        .filter_map(|file| Some(file.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .filter(|name| name != "index")
        .collect();
    names.sort();
    let index: String =
        names.iter().map(|name| format!("export type {{ {name} }} from \"./{name}\";\n")).collect();
    fs::write(folder.join("index.ts"), index)?;
    Ok(())
}
