import { checks } from "../src/checks/StartCheck.ts"

const inProduction = { fail: "refuses to start", warn: "logs a warning" } as const

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The page of what `doctor` and a start look at, a row a check. */
export const checkPage = (): string =>
  [
    "# Checks",
    "",
    "What `npx emporion doctor` looks at, and what a start in production does about it: the list is one. A failure keeps",
    "production from starting, with all of them in one message; a warning is logged. The sandbox starts all the same, and",
    "`doctor` looks at the settings below only with `APP_MODE=production`. Services elsewhere are asked beside the start.",
    "",
    "| what | when | `doctor` says | production | what to do |",
    "|---|---|---|---|---|",
    ...checks.map(
      ({ about, standing, todo, when }) =>
        `| ${/^[A-Z_]+$/.test(about) ? `\`${about}\`` : about} | ${sentence(when)} | ${standing} | ${inProduction[standing]} | ${sentence(todo)} |`
    ),
    ""
  ].join("\n")
