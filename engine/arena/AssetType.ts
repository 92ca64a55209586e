/** What an arena order trades. Specification 4.3, `supported_asset_types`. */
export const ASSET_TYPES = ["commodity", "fx", "options", "gpu"] as const

export type AssetType = (typeof ASSET_TYPES)[number]
