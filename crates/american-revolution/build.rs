fn main() {
    citations::generate("american-revolution", "Battles of the American Revolution");
}
