import { checks } from "../src/checks/StartCheck.ts"

const inProduction = { fail: "refuses to start", warn: "logs a warning" } as const

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The page of what `doctor` and a start look at, a row a check. */
export const checkPage = (): string =>
  [
    "# Checks",
    "",
    "`npx emporion doctor` and a start in production make the same checks. A failure keeps production from starting; one",
    "message names all failures. The log has the warnings. The sandbox starts in any case, but for a node of a",
    "cluster on a database whose clock was set forward. `doctor` checks the settings below only with `APP_MODE=production`. The server",
    "asks services elsewhere while it starts.",
    "",
    "| what | when | `doctor` says | production | what to do |",
    "|---|---|---|---|---|",
    ...checks.map(
      ({ about, standing, todo, when }) =>
        `| ${/^[A-Z_]+$/.test(about) ? `\`${about}\`` : about} | ${sentence(when)} | ${standing} | ${inProduction[standing]} | ${sentence(todo)} |`
    ),
    ""
  ].join("\n")
