use std::path::{Path, PathBuf};

use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use study::{Batch, Error, Job, Run};

use crate::plain::plain;

/// A study and the folder that its batches are kept in.
#[pyclass(module = "linstock", frozen)]
pub(crate) struct Study(Run);

fn error(error: Error) -> PyErr {
    match error {
        Error::Input(message) => PyValueError::new_err(message),
        error @ Error::Broken { .. } => PyRuntimeError::new_err(error.to_string()),
        error => PyOSError::new_err(error.to_string()),
    }
}

#[pymethods]
impl Study {
    /// A study from its text. Scenario files are looked for in `beside`.
    #[new]
    #[pyo3(signature = (text, out, *, beside=None))]
    fn new(text: &str, out: PathBuf, beside: Option<PathBuf>) -> PyResult<Self> {
        let study = study::Study::read(text, beside.as_deref().unwrap_or(Path::new("."))).map_err(error)?;
        Ok(Study(Run::open(study, &out).map_err(error)?))
    }

    /// Tells this study from any other: scenarios, rules, players, numbers.
    #[getter]
    fn fingerprint(&self) -> &str {
        &self.0.study.fingerprint
    }

    /// The batches that are still to be played, as pairs of cell and batch; empty when the study is done. A study that
    /// adapts has more of them once these are played.
    fn jobs(&self, py: Python<'_>) -> Vec<(usize, u64)> {
        py.detach(|| self.0.jobs().into_iter().map(|job| (job.cell, job.batch)).collect())
    }

    /// Plays a batch; the same bytes on any machine.
    fn play<'py>(&self, py: Python<'py>, cell: usize, batch: u64) -> PyResult<Bound<'py, PyBytes>> {
        let job = self.job(cell, batch)?;
        let bytes = py.detach(|| self.0.play(job, &|| ())).map_err(error)?.to_bytes();
        Ok(PyBytes::new(py, &bytes))
    }

    /// Keeps a batch that was played, here or elsewhere. Keeping it twice changes nothing.
    fn keep(&self, cell: usize, batch: u64, bytes: &[u8]) -> PyResult<()> {
        let job = self.job(cell, batch)?;
        let played =
            Batch::from_bytes(bytes).ok_or_else(|| PyValueError::new_err("these bytes are not a batch"))?;
        if !played.games.iter().map(|row| row.game).eq(self.0.games_of(job)) {
            return Err(PyValueError::new_err("this batch holds other games"));
        }
        self.0.keep(job, bytes).map_err(error)
    }

    /// Plays all that is missing, on all cores.
    fn run(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.go(None, &|_| ())).map_err(error)
    }

    /// Writes tables and report, and gives the summary.
    #[pyo3(signature = (*, csv=false))]
    fn finish<'py>(&self, py: Python<'py>, csv: bool) -> PyResult<Bound<'py, PyAny>> {
        let summary = py.detach(|| self.0.finish(csv)).map_err(error)?;
        plain(py, &summary)
    }
}

impl Study {
    fn job(&self, cell: usize, batch: u64) -> PyResult<Job> {
        let (cells, batches) = (self.0.study.cells.len(), self.0.study.games.div_ceil(self.0.study.batch));
        match cell < cells && batch < batches {
            true => Ok(Job { cell, batch }),
            false => Err(PyValueError::new_err(format!(
                "there is no batch {batch} of cell {cell}; there are {cells} cells of {batches} batches"
            ))),
        }
    }
}
