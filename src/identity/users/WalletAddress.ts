import { keccak_256 } from "@noble/hashes/sha3.js"
import { Result } from "effect"
import { refusal } from "../../../engine/wire/Refusal.ts"

/** The address is not 0x and 40 hex digits, or its mixed case is not the EIP-55 checksum. */
export class InvalidWalletAddress extends refusal(
  "InvalidWalletAddress",
  "invalid_request",
  ({ expected }: { readonly expected: string }) => `payload.wallet_address: Expected ${expected}`
) {}

const SHAPE = /^0x[0-9a-fA-F]{40}$/

/** The EIP-55 form of 40 lower-case hex digits: a digit is a capital where the hash's nibble is 8 or more. */
const checksum = (digits: string): string => {
  const hash = keccak_256(new TextEncoder().encode(digits))
  let text = "0x"
  for (let index = 0; index < digits.length; index++) {
    const byte = hash[index >> 1] ?? 0
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 15
    const digit = digits.charAt(index)
    text += nibble >= 8 ? digit.toUpperCase() : digit
  }
  return text
}

/**
 * Reads a wallet address and answers its EIP-55 form. One case throughout says nothing about the checksum and is taken;
 * mixed case must be right.
 */
export const parse = (text: string): Result.Result<string, InvalidWalletAddress> => {
  if (!SHAPE.test(text)) {
    return Result.fail(new InvalidWalletAddress({ expected: "0x and 40 hexadecimal digits" }))
  }
  const digits = text.slice(2)
  const lower = digits.toLowerCase()
  const canonical = checksum(lower)
  const mixed = digits !== lower && digits !== digits.toUpperCase()
  return mixed && canonical !== text
    ? Result.fail(new InvalidWalletAddress({ expected: "an address whose mixed case is its EIP-55 checksum" }))
    : Result.succeed(canonical)
}
