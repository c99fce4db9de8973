import type { ReactNode } from "react";

/**
 * Creates an icon component from paths with a stroke width of 2 on a 24 by 24 grid. The icon
 * inherits the text color and is hidden from screen readers.
 */
function drawSign(strokes: ReactNode) {
  return function Sign({ size = 24, className }: { size?: number; className?: string }) {
    return (
      <svg
        className={className}
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {strokes}
      </svg>
    );
  };
}

export const UpSign = drawSign(<path d="M12 20V4m-7 7 7-7 7 7" />);
export const SearchSign = drawSign(
  <path d="M17 10.5a6.5 6.5 0 1 1-13 0a6.5 6.5 0 0 1 13 0Zm-2 4.5 6 6" />,
);
/** Spinner icon. The caller animates it. */
export const WaitingSign = drawSign(<path d="M21 12a9 9 0 1 1-6.2-8.6" />);
export const WarningSign = drawSign(<path d="M12 3.5 22 20.5H2ZM12 10v4.5m0 3v.01" />);
export const TodaySign = drawSign(
  <path d="M16.5 12a4.5 4.5 0 1 1-9 0a4.5 4.5 0 0 1 9 0ZM12 2v2m0 16v2M2 12h2m16 0h2M4.9 4.9l1.4 1.4m11.4 11.4 1.4 1.4m0-14.2-1.4 1.4M6.3 17.7l-1.4 1.4" />,
);
export const HealthSign = drawSign(
  <path d="M12 20.5C5 16 2.5 12.2 2.5 8.8A4.8 4.8 0 0 1 12 7.3a4.8 4.8 0 0 1 9.5 1.5c0 3.4-2.5 7.2-9.5 11.7ZM4 12h4l2-3 3.5 5.5L15 12h5" />,
);
export const FiguresSign = drawSign(<path d="M4 3v18h17M9 17v-4m4.5 4V6M18 17v-7" />);
export const MoreSign = drawSign(<path strokeWidth="3" d="M5 12h.01M12 12h.01M19 12h.01" />);
