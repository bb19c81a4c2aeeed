//! Looks the rules up, so that a citation of one that does not exist fails to compile.

fn main() {
    citations::generate("brigade-battles", "Civil War Brigade Battle Series");
}
