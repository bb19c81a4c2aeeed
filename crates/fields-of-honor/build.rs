fn main() {
    citations::generate("fields-of-honor", "Fields of Honor");
}
