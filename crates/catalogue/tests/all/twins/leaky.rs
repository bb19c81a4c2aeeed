//! A table that gives something away on purpose, so that the twin test can show that it would notice.

use catalogue::{Analyst, LessonStanding, Reviewer, Scene, Table, Thinker, Weigher};
use game::board::{Ask, Offer, Overlay, Prompt, View};
use game::journal::{Broken, Header};
use game::luck::FairScore;
use game::odds::{Horizon, OddsReport, SealedOdds};
use game::session::{ActError, Throw, Undo, Verified};
use game::{BySide, Eyes, Now, Refusal, Side};

/// Through what the truth gets out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leak {
    View,
    Log,
    Prompt,
    Offers,
    Check,
    Refusal,
    Odds,
    Overlay,
    Undo,
    Journal,
}

impl Leak {
    pub(super) const ALL: [Leak; 10] = [
        Leak::View,
        Leak::Log,
        Leak::Prompt,
        Leak::Offers,
        Leak::Check,
        Leak::Refusal,
        Leak::Odds,
        Leak::Overlay,
        Leak::Undo,
        Leak::Journal,
    ];
}

#[derive(Debug)]
pub(super) struct Leaky {
    pub(super) table: Box<dyn Table>,
    pub(super) leak: Leak,
    /// Of which of the twins this is the table: what nobody may learn.
    pub(super) secret: &'static str,
}

impl Leaky {
    fn tell(&self, leak: Leak, text: &mut String) {
        if self.leak == leak {
            text.push_str(self.secret);
        }
    }

    fn tells_of_second(&self, leak: Leak) -> bool {
        self.leak == leak && self.secret == SECRETS[1]
    }
}

pub(super) const SECRETS: [&str; 2] = [" (it is here)", " (it is there)"];

struct LeakyWeigher {
    weigher: Box<dyn Weigher>,
    leaks: bool,
}

impl Weigher for LeakyWeigher {
    fn odds(&self, notation: &str, horizon: Horizon) -> Result<OddsReport, ActError> {
        if self.leaks { Err(ActError::Over) } else { self.weigher.odds(notation, horizon) }
    }

    fn sealed(&self) -> Option<SealedOdds> {
        self.weigher.sealed()
    }
}

impl Table for Leaky {
    fn view(&self, eyes: Eyes, at: Option<u64>) -> Option<View> {
        let mut view = self.table.view(eyes, at)?;
        for piece in view.pieces.iter_mut().take(1) {
            self.tell(Leak::View, &mut piece.name);
        }
        Some(view)
    }

    fn prompt(&self) -> Option<Prompt> {
        let mut prompt = self.table.prompt()?;
        self.tell(Leak::Prompt, &mut prompt.sentence);
        Some(prompt)
    }

    fn offers(&self) -> Vec<Offer> {
        let mut offers = self.table.offers();
        for offer in &mut offers {
            self.tell(Leak::Offers, &mut offer.label);
        }
        offers
    }

    fn scenes(&self, eyes: Eyes, from: u64) -> Vec<Scene> {
        let mut scenes = self.table.scenes(eyes, from);
        for entry in scenes.iter_mut().flat_map(|scene| &mut scene.entries) {
            self.tell(Leak::Log, &mut entry.text);
        }
        scenes
    }

    fn would(&self, side: Side, notation: &str) -> Result<Offer, ActError> {
        match self.table.would(side, notation) {
            Ok(mut offer) => {
                self.tell(Leak::Check, &mut offer.label);
                Ok(offer)
            }
            Err(ActError::Refused(Refusal { what, mut why, rule })) => {
                self.tell(Leak::Refusal, &mut why);
                Err(ActError::Refused(Refusal { what, why, rule }))
            }
            Err(ActError::Unreadable(mut why)) => {
                self.tell(Leak::Refusal, &mut why);
                Err(ActError::Unreadable(why))
            }
            Err(other) => Err(other),
        }
    }

    fn undo_right(&self, side: Side) -> Undo {
        if self.tells_of_second(Leak::Undo) { Undo::ByConsent } else { self.table.undo_right(side) }
    }

    fn conceals_from(&self, side: Side) -> bool {
        self.table.conceals_from(side) && !self.tells_of_second(Leak::Journal)
    }

    fn overlay(&self, eyes: Eyes, ask: &Ask) -> Overlay {
        let mut overlay = self.table.overlay(eyes, ask);
        self.tell(Leak::Overlay, &mut overlay.note);
        overlay
    }

    fn weigher(&self, side: Side) -> Box<dyn Weigher> {
        let leaks = self.tells_of_second(Leak::Odds);
        Box::new(LeakyWeigher { weigher: self.table.weigher(side), leaks })
    }

    // The rest as it is.

    fn turn(&self) -> u32 {
        self.table.turn()
    }

    fn moment(&self) -> u64 {
        self.table.moment()
    }
    fn now(&self) -> Now {
        self.table.now()
    }
    fn header(&self) -> &Header {
        self.table.header()
    }
    fn score(&self) -> BySide<i32> {
        self.table.score()
    }
    fn act(&mut self, side: Side, notation: &str, throw: &Throw) -> Result<(), ActError> {
        self.table.act(side, notation, throw)
    }
    fn say_ordered(&mut self) {
        self.table.say_ordered();
    }
    fn undo_right_alone(&self, side: Side) -> Undo {
        self.table.undo_right_alone(side)
    }
    fn let_rolls_back(&mut self) {
        self.table.let_rolls_back();
    }
    fn undo(&mut self, side: Side, agreed: bool) -> Result<(), Undo> {
        self.table.undo(side, agreed)
    }
    fn resign(&mut self, side: Side) -> Result<(), ActError> {
        self.table.resign(side)
    }
    fn reveal(&mut self) {
        self.table.reveal();
    }
    fn journal(&self) -> String {
        self.table.journal()
    }
    fn lines(&self, from: usize) -> Vec<String> {
        self.table.lines(from)
    }
    fn took_back_unseen(&self, side: Side) -> bool {
        self.table.took_back_unseen(side)
    }
    fn verify(&self) -> Result<Verified, Broken> {
        self.table.verify()
    }
    fn thinker(&self) -> Thinker {
        self.table.thinker()
    }
    fn analyst(&self, at: Option<u64>, also: Option<&str>) -> Option<Analyst> {
        self.table.analyst(at, also)
    }
    fn lesson(&self, tried: Option<&str>) -> Option<LessonStanding> {
        self.table.lesson(tried)
    }
    fn reviewer(&self) -> Option<Reviewer> {
        self.table.reviewer()
    }
    fn fair_score(&self) -> FairScore {
        self.table.fair_score()
    }
    fn digest(&self) -> [u8; 32] {
        self.table.digest()
    }
    fn seen_digest(&self, eyes: Eyes) -> [u8; 32] {
        self.table.seen_digest(eyes)
    }
}
