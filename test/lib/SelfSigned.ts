import { createHash, generateKeyPairSync, sign } from "node:crypto"

/** DER: a tag, the length of what follows, and what follows. X.690. */
const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: ReadonlyArray<Uint8Array>): Buffer => der(0x30, ...parts)
const octets = (...bytes: ReadonlyArray<number>): Buffer => Buffer.from(bytes)
const bits = (bytes: Uint8Array): Buffer => der(0x03, octets(0), bytes)
const time = (year: number): Buffer => der(0x17, Buffer.from(`${String(year).slice(2)}0101000000Z`))

/** 1.3.101.112, Ed25519. RFC 8410. */
const ED25519 = sequence(der(0x06, octets(0x2b, 0x65, 0x70)))

/** 2.5.4.3, the common name. */
const nameOf = (host: string): Buffer =>
  sequence(der(0x31, sequence(der(0x06, octets(0x55, 0x04, 0x03)), der(0x0c, Buffer.from(host)))))

/** 2.5.29.17, the names that the certificate is for. */
const alternatives = (host: string): Buffer =>
  sequence(der(0x06, octets(0x55, 0x1d, 0x11)), der(0x04, sequence(der(0x82, Buffer.from(host)))))

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString("base64").replaceAll(/(.{64})/g, "$1\n")}\n-----END ${label}-----\n`

/** A certificate of a host's own, with its key, both in PEM. RFC 5280, section 4.1. */
export const selfSigned = (host: string): { readonly certificate: string; readonly key: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const spki = publicKey.export({ type: "spki", format: "der" })
  const serial = createHash("sha256").update(spki).digest().subarray(0, 8)
  serial[0] = 1
  const toBeSigned = sequence(
    der(0xa0, der(0x02, octets(2))),
    der(0x02, serial),
    ED25519,
    nameOf(host),
    sequence(time(2020), time(2049)),
    nameOf(host),
    spki,
    der(0xa3, sequence(alternatives(host)))
  )
  const certificate = sequence(toBeSigned, ED25519, bits(sign(null, toBeSigned, privateKey)))
  return {
    certificate: pem("CERTIFICATE", certificate),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
}
