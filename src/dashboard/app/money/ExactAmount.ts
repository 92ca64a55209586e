/** Decimals that are always written. */
const FEWEST = 2

/** What a currency is written with, such as `$`; undefined where it has only its code, as metals and coins have. */
const signOf = (asset: string): string | undefined => {
  if (!/^[A-Z]{3}$/.test(asset)) return undefined
  const parts = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: asset,
    currencyDisplay: "narrowSymbol"
  }).formatToParts(0)
  const sign = parts.find(({ type }) => type === "currency")?.value
  return sign === asset ? undefined : sign
}

const kept = new Map<string, string | undefined>()

const knownSign = (asset: string): string | undefined => {
  if (!kept.has(asset)) kept.set(asset, signOf(asset))
  return kept.get(asset)
}

const figures = (units: string): string => {
  const [whole = "0", decimals = ""] = units.split(".")
  const rest = decimals.replace(/0+$/, "").padEnd(FEWEST, "0")
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, ",")}.${rest}`
}

/**
 * An amount with every decimal that it has, two at least: `$1,234.50`, `$0.000012`, `0.00045 BTC`. Rounded, a small
 * amount of something dear would be nothing.
 *
 * @param units - a decimal number as the API writes it, negative with a minus
 */
export const exactAmount = (units: string, asset: string): string => {
  const sign = knownSign(asset)
  const minus = units.startsWith("-") ? "−" : ""
  const number = figures(units.replace(/^-/, ""))
  return sign === undefined ? `${minus}${number} ${asset}` : `${minus}${sign}${number}`
}

/** The same with a plus where it came in: `+$12.00`, `−$3.50`. */
export const exactChange = (units: string, asset: string): string =>
  units.startsWith("-") ? exactAmount(units, asset) : `+${exactAmount(units, asset)}`
