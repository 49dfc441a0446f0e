import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { readInput } from '../api/read-input.ts'
import { type Command, Misuse, Refusal, type Terminal } from '../command.ts'
import { readOptions } from '../read-options.ts'
import { isObject } from '../render/generic-view.ts'

type Table = typeof import('@stakewright/verify').PINS

/** How a table of pins is authenticated: by the signer's key, or by its digest. */
type TrustedBy = { readonly key: string | undefined; readonly digest: string | undefined }

/** Reads a table of pins and refuses it unless its signature or digest is the one the caller trusts. */
export async function readTrustedTable(
  source: string,
  { key, digest }: TrustedBy,
  terminal: Terminal,
): Promise<Table> {
  const { checkSignedTable, checkTable } = await import('@stakewright/verify')
  const table = await readTable(source, terminal)
  if (key === undefined && digest === undefined)
    throw unsigned('The table is not authenticated: neither --pins-key nor --pins-digest is given.')
  try {
    if (digest !== undefined) await checkTable(table, digest)
    if (key !== undefined) await checkSignedTable(table, key)
  } catch (error) {
    if (error instanceof Error && error.name === 'BadTable') throw unsigned(`${error.message}.`)
    throw error
  }
  return table
}

const unsigned = (why: string) =>
  new Refusal(
    'unsigned_table',
    `Unsigned table: the pins cannot be trusted, and nothing was verified. ${why}`,
    'Give --pins-key, the key of whoever signed the table with `stakewright pins sign`, or --pins-digest from a source you trust; or leave --pins out.',
  )

async function readTable(source: string, { readInput: readStandardInput }: Terminal): Promise<Table> {
  const fields = ['version', 'digest', 'networks', 'signature']
  const value = await readInput(source, fields, readStandardInput, '--pins')
  if (Number.isSafeInteger(value['version']) && isObject(value['networks'])) return value as Table
  throw new Misuse('--pins must be { "version", "digest", "networks" }, as PINS of @stakewright/verify is.')
}

const OPTIONS = { pins: { type: 'string' }, key: { type: 'string' }, json: { type: 'boolean' } } as const

export const PINS_COMMAND: Command = {
  words: 'pins sign',
  usage: '--pins @FILE --key FILE',
  summary: 'Sign a table of package ids for stakewright verify --pins',
  section: 'Command line',
  flags: Object.keys(OPTIONS),
  withoutTerminal: 'json',
  help: () => `stakewright pins sign --pins @FILE --key FILE
  Prints the table { "version", "networks" } of --pins with its digest and an Ed25519 signature. --key is a private key
  in PEM, such as openssl genpkey -algorithm ed25519 makes. The public key, which is what --pins-key of verify takes, is
  printed on standard error.

stakewright pins sign --pins @pins.json --key signer.pem --json > signed.json
stakewright verify --input @built.json --wish @wish.json --pins @signed.json --pins-key PUBLIC_KEY`,
  async run(args, terminal) {
    const { values } = readOptions(args, { options: OPTIONS })
    if (values.pins === undefined || values.key === undefined)
      throw new Misuse('A table and a key are needed: stakewright pins sign --pins @FILE --key FILE.')
    const { digestOfTable, signedTextOfTable } = await import('@stakewright/verify')
    const { version, networks } = await readTable(values.pins, terminal)
    const key = await readKey(values.key)
    const table = { version, networks, digest: await digestOfTable({ version, networks }) }
    const signature = sign(null, Buffer.from(await signedTextOfTable(table)), key).toString('base64url')
    const data = { ...table, signature }
    return { data, text: JSON.stringify(data, undefined, 2), note: `Public key: ${publicPartOf(key)}` }
  },
}

async function readKey(file: string): Promise<KeyObject> {
  const refuse = (why: string) => new Misuse(`--key: ${why}`)
  const pem = await readFile(file, 'utf8').catch((error: Error) => {
    throw refuse(error.message)
  })
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw refuse('the file has no private key in PEM.')
  }
  if (key.asymmetricKeyType !== 'ed25519') throw refuse('the key must be one of Ed25519.')
  return key
}

const publicPartOf = (key: KeyObject): string => String(createPublicKey(key).export({ format: 'jwk' }).x)
