fn main() {
    citations::generate("hallowed-ground", "This Hallowed Ground");
}
