const LOCALE = "en-GB"

const money = new Map<string, Intl.NumberFormat>()

const moneyFormat = (currency: string, decimals: number): Intl.NumberFormat => {
  const key = `${currency} ${decimals}`
  const kept = money.get(key)
  if (kept !== undefined) return kept
  const made = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: 2,
    maximumFractionDigits: decimals
  })
  money.set(key, made)
  return made
}

/** Codes of ISO 4217 have three letters; everything else is counted in units. */
const CURRENCY = /^[A-Z]{3}$/

const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 })

/** An amount of money: `1234.5` → `$1,234.50`. Of a symbol that is no currency: `12 GPUH`. */
export const usd = (amount: number | string, decimals = 2): string =>
  moneyFormat("USD", decimals).format(Number(amount))

/** An amount of any symbol: `€1,234.50`, `1.5 XAU2`. */
export const amountOf = (amount: number | string, symbol: string): string =>
  CURRENCY.test(symbol) ? moneyFormat(symbol, 2).format(Number(amount)) : `${plain.format(Number(amount))} ${symbol}`

/** A profit or loss with its sign: `+$12.00`, `−$3.50`. */
export const signedUsd = (amount: number): string =>
  amount < 0 ? `−${usd(-amount)}` : amount > 0 ? `+${usd(amount)}` : usd(0)

/** A price in as many decimals as it has, two at least and six at most. */
export const price = (amount: number): string => moneyFormat("USD", 6).format(amount)

/** A count or quantity: `1,234.5`. */
export const count = (value: number): string => plain.format(value)

const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 })

/** A large count in few letters: `12.3K`. */
export const compact = (value: number): string => short.format(value)

/** A share of one as a percentage: `0.0381` → `3.81%`. */
export const percent = (share: number, decimals = 2): string =>
  new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: decimals }).format(share)

/** A time of the platform in milliseconds since 1970. Times without a zone are in UTC. */
export const millisOf = (timestamp: string): number =>
  Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(timestamp) ? timestamp : `${timestamp}Z`)

const instant = (when: string | number): number => (typeof when === "number" ? when : millisOf(when))

const dateTime = new Intl.DateTimeFormat(LOCALE, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit"
})
const day = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", year: "numeric" })
const dayOfYear = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", timeZone: "UTC" })
const clock = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit", second: "2-digit" })

/** A moment in the person's own zone: `22 Nov 2026, 14:05:09`. */
export const timeOf = (when: string | number): string => dateTime.format(instant(when))

/** A moment's day in the person's own zone: `22 Nov 2026`. */
export const dayOf = (when: string | number): string => day.format(instant(when))

/** A day of UTC such as `2026-11-22`: `22 Nov`. */
export const utcDay = (date: string): string => dayOfYear.format(Date.parse(`${date}T00:00:00Z`))

/** A moment's time of day in the person's own zone: `14:05:09`. */
export const clockOf = (when: string | number): string => clock.format(instant(when))

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" })

const STEPS: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000]
]

/** A moment seen from another: `3 minutes ago`, `in 2 hours`. */
export const sinceOf = (when: string | number, from: number): string => {
  const distance = instant(when) - from
  const [unit, size] = STEPS.find(([, size]) => Math.abs(distance) >= size) ?? (["second", 1_000] as const)
  return relative.format(Math.trunc(distance / size), unit)
}

const two = (value: number): string => String(value).padStart(2, "0")

/** What is left of a time, as a clock: `04:09`, `1:02:03`. Never below zero. */
export const countdown = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${two(minutes)}:${two(seconds % 60)}`
}

/** A duration of milliseconds: `340 ms`, `1.25 s`. */
export const duration = (milliseconds: number): string =>
  milliseconds < 1000
    ? `${plain.format(Math.round(milliseconds * 10) / 10)} ms`
    : `${(milliseconds / 1000).toFixed(2)} s`

/** An id that tells things apart in a list or a sentence. Their own pages have it whole. */
export const shortId = (id: string): string => (id.length > 20 ? `${id.slice(0, 10)}…${id.slice(-4)}` : id)
