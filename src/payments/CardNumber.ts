const DIGITS = /^[0-9]{12,19}$/

const luhnSum = (digits: string): number => {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place])
    const weighed = place % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum
}

/**
 * Whether a text looks like the number of a payment card: 12 to 19 digits, with spaces or hyphens or without, whose
 * check digit is right (ISO/IEC 7812-1, annex B). Such a text is neither kept nor repeated.
 */
export const looksLikeCardNumber = (text: string): boolean => {
  const digits = text.replaceAll(/[\s.-]/g, "")
  return DIGITS.test(digits) && luhnSum(digits) % 10 === 0
}
