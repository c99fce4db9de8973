import type { ReactElement } from "react";

/** The small wheel beside the wordmark: drawn in the text's colour, sized by `className`, silent to screen readers. */
export function WheelMark({ className }: { className?: string }): ReactElement {
  return (
    <svg
      className={className}
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden="true"
    >
      <circle cx="16" cy="16" r="13.5" strokeWidth="4" />
      <path d="M16 5v22M5 16h22M8.2 8.2l15.6 15.6M8.2 23.8 23.8 8.2" />
      <circle cx="16" cy="16" r="4" fill="currentColor" />
    </svg>
  );
}
