//! The board's own files, inside the program.

use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use host::Failure;
use host::wire::Code;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web/dist"]
#[exclude = "report/*"]
#[allow_missing = true]
struct Board;

const NO_BOARD: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Linstock</title>\
    <h1>Linstock</h1><p>This program was built without the board. Build it and the program again:</p>\
    <pre>cd web &amp;&amp; npm ci &amp;&amp; npm run build\ncargo build --release</pre>\
    <p>The interface for programs is here all the same: <a href=\"/api/v1/openapi.json\">/api/v1/openapi.json</a>.</p></html>";

/// How many files of the board the program carries.
#[must_use]
pub fn board_files() -> usize {
    Board::iter().count()
}

/// A file of the board, or the page at the root.
pub(crate) async fn serve(method: Method, uri: Uri) -> Response {
    if uri.path().starts_with("/api") {
        return Failure::new(Code::NoSuchPage, "There is no such address; docs/api.md lists them.")
            .into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return Failure::new(Code::WrongMethod, "Only GET here.").into_response();
    }
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    match Board::get(path) {
        Some(file) => {
            let kind = HeaderValue::from_str(file.metadata.mimetype());
            let kind = kind.unwrap_or(HeaderValue::from_static("application/octet-stream"));
            // Names under assets/ carry a hash of their content.
            let cache =
                if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
            let cache = HeaderValue::from_static(cache);
            ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache)], file.data).into_response()
        }
        None if path == "index.html" => {
            let kind = HeaderValue::from_static("text/html; charset=utf-8");
            (StatusCode::OK, [(header::CONTENT_TYPE, kind)], NO_BOARD).into_response()
        }
        None => Failure::new(Code::NoSuchPage, "There is no such page.").into_response(),
    }
}

/// The right address, the wrong method.
pub(crate) async fn wrong_method() -> Failure {
    Failure::new(Code::WrongMethod, "Not with this method.")
}
