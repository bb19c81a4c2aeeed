fn main() {
    citations::generate("skirmish", "Skirmish");
}
