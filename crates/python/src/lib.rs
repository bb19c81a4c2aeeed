//! Linstock for Python: battles, games, many games at once, studies. The package around it is in `python/`.

mod battle;
mod many;
mod plain;
mod playing;
mod studies;

use pyo3::prelude::*;

#[pymodule]
fn _linstock(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("PIECE_FIELDS", catalogue::PIECE_FIELDS)?;
    module.add("GLOBAL_FIELDS", catalogue::GLOBAL_FIELDS)?;
    module.add("ACTION_FIELDS", catalogue::ACTION_FIELDS)?;
    module.add("PLAYERS", players::Level::ALL.map(players::Level::id))?;
    module.add_class::<battle::Battle>()?;
    module.add_class::<playing::Game>()?;
    module.add_class::<many::Batch>()?;
    module.add_class::<studies::Study>()?;
    module.add_function(wrap_pyfunction!(battle::scenarios, module)?)?;
    module.add_function(wrap_pyfunction!(battle::read_journal, module)?)?;
    Ok(())
}
