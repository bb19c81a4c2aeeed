fn main() {
    citations::generate("battle-hymn", "Battle Hymn");
}
