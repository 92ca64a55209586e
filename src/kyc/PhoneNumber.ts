import { isPossiblePhoneNumber, isSupportedCountry } from "libphonenumber-js/min"

/**
 * Whether a number can be one of the country's, or, with its country code, of any country's. Whether it is given to
 * anybody changes faster than a library does, so its length alone is looked at.
 */
export const isPhoneNumber = (text: string, country: string): boolean =>
  isPossiblePhoneNumber(text, isSupportedCountry(country) ? country : undefined)
