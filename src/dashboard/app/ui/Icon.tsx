/** Outlines of 24 by 24, drawn with a stroke of 1.75. */
const PATHS = {
  activity: "M3 12h4l3-8 4 16 3-8h4",
  alert: "M12 9v4m0 4h.01M10.3 3.9 2.4 17.5A2 2 0 0 0 4.1 20.5h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z",
  arrow: "M5 12h14m-6-6 6 6-6 6",
  back: "m15 6-6 6 6 6",
  bot: "M12 4v4M6 8h12a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2Zm3 5v2m6-2v2M2 13v3m20-3v3",
  box: "M21 8 12 3 3 8v8l9 5 9-5V8Zm0 0-9 5m0 0L3 8m9 5v8",
  card: "M3 6h18a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1Zm-1 4h20M6 15h4",
  cart: "M3 4h2l2.4 11.2a1 1 0 0 0 1 .8h8.9a1 1 0 0 0 1-.8L20 8H6m3 12h.01M17 20h.01",
  chart: "M4 4v16h16M8 16v-4m4 4V8m4 8v-6",
  check: "M5 12.5 10 17.5 19 7",
  chevron: "m9 6 6 6-6 6",
  clock: "M12 7v5l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  down: "m6 9 6 6 6-6",
  exit: "M15 4h4a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-4m-5-4 4-4-4-4m4 4H4",
  external: "M14 4h6v6m0-6-9 9M18 13v6a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h6",
  first: "m18 6-6 6 6 6M7 6v12",
  flow: "M7 7h13m0 0-4-4m4 4-4 4M17 17H4m0 0 4-4m-4 4 4 4",
  gauge: "M12 14l4-4M4.5 18a9 9 0 1 1 15 0",
  home: "M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1v-8Z",
  hook: "M8 9a4 4 0 1 1 6 3.5l2 4M16 16a3 3 0 1 1-1 5H9M8.5 11 6 16a3 3 0 1 0 3 5",
  info: "M12 11v5m0-8h.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  key: "M14.5 9.5a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0ZM13 13l7 7m-3-3 2-2",
  last: "m6 6 6 6-6 6M17 6v12",
  lock: "M6 11h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-8a1 1 0 0 1 1-1Zm2 0V8a4 4 0 1 1 8 0v3",
  menu: "M4 6h16M4 12h16M4 18h16",
  moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4a6.8 6.8 0 0 0 10.5 10.5Z",
  pause: "M8 5v14M16 5v14",
  play: "M7 4.5v15l12-7.5-12-7.5Z",
  plus: "M12 5v14M5 12h14",
  receipt: "M5 3v18l2.5-1.5L10 21l2-1.5L14 21l2.5-1.5L19 21V3l-2.5 1.5L14 3l-2 1.5L10 3 7.5 4.5 5 3Zm4 6h6m-6 4h6",
  refresh: "M20 11a8 8 0 0 0-14.3-4L3 9.5M3 4v5.5h5.5M4 13a8 8 0 0 0 14.3 4L21 14.5m0 5.5v-5.5h-5.5",
  repeat: "M4 12V9a3 3 0 0 1 3-3h13m0 0-3-3m3 3-3 3m3 3v3a3 3 0 0 1-3 3H4m0 0 3-3m-3 3 3 3",
  search: "M10.5 18a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15Zm5.5-2 5 5",
  shield: "M12 3l8 3v6c0 4.5-3.3 7.9-8 9-4.7-1.1-8-4.5-8-9V6l8-3Z",
  sliders: "M4 7h10m4 0h2M4 17h2m4 0h10M14 5v4M6 15v4",
  stop: "M7 6h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1Z",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8Zm0-5v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4m0-12.8L17 7M7 17l-1.4 1.4",
  tag: "M3 4v7.2a1 1 0 0 0 .3.7l8.8 8.8a1 1 0 0 0 1.4 0l7.2-7.2a1 1 0 0 0 0-1.4L11.9 3.3a1 1 0 0 0-.7-.3H4a1 1 0 0 0-1 1Zm4.5 3.5h.01",
  trash: "M4 7h16M9 7V4h6v3m-8 0 1 13h8l1-13m-7 4v5m4-5v5",
  trophy: "M8 4h8v6a4 4 0 1 1-8 0V4Zm0 2H4a4 4 0 0 0 4 4m8-4h4a4 4 0 0 1-4 4m-4 4v4m-4 2h8",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 9a8 8 0 0 1 16 0",
  vault: "M4 4h16v15H4zM12 15a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm0-3.5h.01M7 19v2m10-2v2",
  wallet: "M4 6h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6Zm0 0a2 2 0 0 1 2-2h10v2m4 6h-4a1.5 1.5 0 0 0 0 3h4"
} as const

/** The pictures there are. */
export type IconName = keyof typeof PATHS

interface IconProps {
  readonly name: IconName
  /** Width and height in pixels, by default 16. */
  readonly size?: number
}

/** A picture in the colour of its text. It says nothing by itself: put words beside it, or a label on its button. */
export const Icon = ({ name, size = 16 }: IconProps) => (
  <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
)
