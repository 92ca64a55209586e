import { type Amount, fromUnits } from "../money/Amount.ts"

interface Priced {
  /** What quotes, medians and orders name it by, such as `EUR/USD`, `XAU` or `H100-SXM`. Unique. */
  readonly asset: string
  readonly name: string
  /** What one price is for, such as `100 JPY` or `troy ounce`. */
  readonly unit: string
  /** How many of its own units one price is for; more than 1 for a currency worth less than 0.1 USD. */
  readonly per: number
}

export interface Currency extends Priced {
  readonly assetType: "fx"
  /** Its code in rates per USD, such as `eur`. */
  readonly code: string
}

export interface Commodity extends Priced {
  readonly assetType: "commodity"
  readonly code: string
  readonly group: "metal" | "crypto"
}

/** An hour of one accelerator. */
export interface Gpu extends Priced {
  readonly assetType: "gpu"
  readonly provider: string
  readonly region: string
  /** USD per hour as configured here. It is a list price, not market data. */
  readonly listPrice: Amount
}

/** Something with a price of its own. Options have none: they refer to one of these as their underlying. */
export type Instrument = Currency | Commodity | Gpu

const currency = (code: string, name: string, per = 1): Currency => {
  const symbol = code.toUpperCase()
  return { assetType: "fx", asset: `${symbol}/USD`, name, unit: per === 1 ? symbol : `${per} ${symbol}`, per, code }
}

const commodity = (code: string, name: string, unit: string, group: Commodity["group"]): Commodity => ({
  assetType: "commodity",
  asset: code.toUpperCase(),
  name,
  unit,
  per: 1,
  code,
  group
})

const gpu = (asset: string, name: string, region: string, listPrice: bigint): Gpu => ({
  assetType: "gpu",
  asset,
  name,
  unit: "GPU hour",
  per: 1,
  provider: "emporion-list",
  region,
  listPrice: fromUnits(listPrice)
})

export const CURRENCIES: ReadonlyArray<Currency> = [
  currency("eur", "Euro"),
  currency("gbp", "Pound sterling"),
  currency("jpy", "Japanese yen", 100),
  currency("chf", "Swiss franc"),
  currency("aud", "Australian dollar"),
  currency("cad", "Canadian dollar"),
  currency("cny", "Chinese yuan"),
  currency("inr", "Indian rupee", 100),
  currency("brl", "Brazilian real"),
  currency("mxn", "Mexican peso", 100)
]

export const COMMODITIES: ReadonlyArray<Commodity> = [
  commodity("xau", "Gold", "troy ounce", "metal"),
  commodity("xag", "Silver", "troy ounce", "metal"),
  commodity("btc", "Bitcoin", "BTC", "crypto"),
  commodity("eth", "Ether", "ETH", "crypto")
]

export const GPUS: ReadonlyArray<Gpu> = [
  gpu("B200-SXM", "NVIDIA B200 SXM 192 GB", "us-east", 4_990_000n),
  gpu("H200-SXM", "NVIDIA H200 SXM 141 GB", "us-east", 3_290_000n),
  gpu("H100-SXM", "NVIDIA H100 SXM 80 GB", "us-west", 2_490_000n),
  gpu("H100-PCIE", "NVIDIA H100 PCIe 80 GB", "eu-west", 1_990_000n),
  gpu("A100-80GB", "NVIDIA A100 80 GB", "eu-north", 1_290_000n),
  gpu("L40S", "NVIDIA L40S 48 GB", "us-east", 860_000n),
  gpu("MI300X", "AMD Instinct MI300X 192 GB", "us-west", 2_190_000n)
]

/** Everything that is priced in rates per USD. */
export const RATED: ReadonlyArray<Currency | Commodity> = [...CURRENCIES, ...COMMODITIES]

export const INSTRUMENTS: ReadonlyArray<Instrument> = [...RATED, ...GPUS]

const byAsset: ReadonlyMap<string, Instrument> = new Map(
  INSTRUMENTS.map((instrument) => [instrument.asset, instrument])
)

export const instrumentOf = (asset: string): Instrument | undefined => byAsset.get(asset)

const bare = (name: string): string => name.toUpperCase().replaceAll(/[/_-]/g, "")

const byBareName: ReadonlyMap<string, Instrument> = new Map(
  INSTRUMENTS.map((instrument) => [bare(instrument.asset), instrument])
)

/** An instrument by its name in any case, with `/`, `-`, `_` or nothing between the parts of it. */
export const instrumentNamed = (name: string): Instrument | undefined => byBareName.get(bare(name))
