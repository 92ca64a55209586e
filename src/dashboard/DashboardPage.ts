import { ASSETS } from "./DashboardBundle.ts"
import type { Bundle } from "./PageAssets.ts"

/** What the page may load: its own scripts and styles, pictures in its own text, and answers of this server. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** The mark, for the browser's tab. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E" +
  "%3Crect width='24' height='24' rx='6' fill='%233450c8'/%3E%3Cpath d='M7 7.5h10M7 12h6.5M7 16.5h10' " +
  "fill='none' stroke='%23fff' stroke-width='2.2' stroke-linecap='round'/%3E%3C/svg%3E"

/** The page that every address of the dashboard answers. `ways` are other ways to sign in, such as `google` and `shop:<domain>`. */
export const render = ({ entry, imported, styles }: Bundle, ways: ReadonlyArray<string>): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Emporion</title>',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="description" content="The dashboard of Emporion: commerce, trade finance and the arena.">',
    `<meta name="sign-in" content="${ways.join(" ")}">`,
    `<link rel="icon" href="${ICON}">`,
    ...styles.map((name) => `<link rel="stylesheet" href="${ASSETS}${name}">`),
    ...imported.map((name) => `<link rel="modulepreload" href="${ASSETS}${name}">`),
    `<script type="module" src="${ASSETS}${entry}"></script>`,
    '</head><body><div id="root"></div>',
    "<noscript>The dashboard needs JavaScript. The API does not: see /docs.</noscript></body></html>"
  ].join("")
