/** Remembers where the focus is. Called, the answer brings it back there, if there is still anything there. */
export function rememberFocus(): () => void {
  const before = document.activeElement;
  return () => {
    if (before?.isConnected && (before instanceof HTMLElement || before instanceof SVGElement)) before.focus();
  };
}
