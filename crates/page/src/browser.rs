//! What the browser calls: a text goes in, a text comes out. Texts are handed over as a place in memory and a length.

#![allow(unsafe_code)]

use std::cell::RefCell;

use crate::Page;

thread_local! {
    static PAGE: RefCell<Page> = RefCell::new(Page::default());
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for a request of that length; `handle` takes it back.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn room(length: usize) -> *mut u8 {
    let request = vec![0u8; length].into_boxed_slice();
    Box::into_raw(request).cast()
}

/// Answers the request that was written to `room`; the length of the answer.
///
/// # Safety
/// `request` comes from `room(length)` and is not used afterwards.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn handle(request: *mut u8, length: usize) -> usize {
    // SAFETY: made by `room` with this very length, and handed back once.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(request, length)) };
    let request = String::from_utf8_lossy(&request);
    let answer = PAGE.with_borrow_mut(|page| crate::handle(page, &request));
    ANSWER.with_borrow_mut(|kept| {
        *kept = answer.into_bytes();
        kept.len()
    })
}

/// Where the last answer begins.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|kept| kept.as_ptr())
}
