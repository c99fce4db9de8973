/** The small wheel of the wordmark, in the colour of the text. */
export function WheelMark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke="currentColor">
      <circle cx="16" cy="16" r="13" strokeWidth="4" />
      <path d="M16 4v24M4 16h24M7.5 7.5l17 17M24.500 7.500l-17 17" strokeWidth="1.6" />
    </svg>
  );
}
