import { blake2b256 } from './blake2b.ts'
import { type Account, fromBase64, type Signer, toBase64 } from './signer.ts'

const KEY = 'stakewright.play-signer'
const ED25519 = 0x00
/** The intent of a personal message: its scope, version 0, for Sui. */
const PERSONAL_MESSAGE = [3, 0, 0]

/** A wallet for play: an Ed25519 key that lasts as long as the browser tab. It holds nothing and is worth nothing. */
export const playSigner: Signer = { name: 'a play wallet', connect }

/** Browsers give keys only to pages that were loaded over HTTPS or from this machine. */
export const hasWebCrypto = (): boolean => globalThis.crypto?.subtle !== undefined

type StoredKey = { readonly secret: string; readonly publicKey: string }

async function connect(): Promise<Account> {
  const { secret, publicKey } = readStored() ?? store(await generate())
  const publicBytes = fromBase64(publicKey)
  const key = await crypto.subtle.importKey('pkcs8', fromBase64(secret), 'Ed25519', false, ['sign'])
  return {
    address: toAddress(publicBytes),
    async sign(message) {
      const digest = blake2b256(intentBytes(new TextEncoder().encode(message)))
      const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', key, digest))
      return toBase64(Uint8Array.from([ED25519, ...signature, ...publicBytes]))
    },
  }
}

const toAddress = (publicKey: Uint8Array): string =>
  `0x${[...blake2b256(Uint8Array.from([ED25519, ...publicKey]))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** The bytes that a wallet signs: the intent, then the message with its length before it. */
const intentBytes = (message: Uint8Array): Uint8Array =>
  Uint8Array.from([...PERSONAL_MESSAGE, ...lengthBytes(message.length), ...message])

/** ULEB128: seven bits per byte, the lowest first; the top bit says that more bytes follow. */
function lengthBytes(length: number): readonly number[] {
  return length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...lengthBytes(length >> 7)]
}

async function generate(): Promise<StoredKey> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new Error('This browser makes no Ed25519 keys.')
  const [secret, publicKey] = await Promise.all([
    crypto.subtle.exportKey('pkcs8', pair.privateKey),
    crypto.subtle.exportKey('raw', pair.publicKey),
  ])
  return { secret: toBase64(new Uint8Array(secret)), publicKey: toBase64(new Uint8Array(publicKey)) }
}

function readStored(): StoredKey | undefined {
  try {
    const text = sessionStorage.getItem(KEY)
    return text === null ? undefined : toStoredKey(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The cast holds because only `store` writes this entry. */
const toStoredKey = (stored: unknown): StoredKey => stored as StoredKey

function store(key: StoredKey): StoredKey {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(key))
  } catch {
    // Without storage the wallet lasts for this one sign-in.
  }
  return key
}
