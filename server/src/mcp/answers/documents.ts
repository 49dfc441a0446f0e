import { type Fields, toObject } from '../fields.ts'
import { estimateTokens } from './estimate-tokens.ts'

/** A transaction as neutral commands, which the sandbox runs, and in the chain SDK's JSON, which a wallet signs. */
const DOCUMENTS = ['commands', 'transaction'] as const

/** Fields that are only useful together with a document; they are dropped before the last document. */
const ABOUT_THEM = ['intent', 'intentSignature'] as const

export const isDocument = (name: string): boolean => DOCUMENTS.some((document) => document === name)

/** The documents and related fields that a short answer may leave out. */
export const documentFields = (fields: Fields): readonly string[] =>
  DOCUMENTS.every((name) => name in fields) ? [...DOCUMENTS, ...ABOUT_THEM] : []

type Limits = {
  readonly textOf: (answer: unknown) => string
  /** Above this size, the document that is not used on this network is left out. */
  readonly usual: number
  /** Above this size, both are left out, because only a complete document can be used. */
  readonly most: number
}

type Shorter = {
  readonly answer: Fields
  /** The names of what is left out. */
  readonly leftOut: readonly string[]
  /** The remaining document with the same content. */
  readonly stays?: string
}

/** The answer with as many of its documents as fit. */
export function withFittingDocuments(answer: Fields, { textOf, usual, most }: Limits): Shorter {
  const documents = DOCUMENTS.filter((name) => answer[name] !== undefined)
  const fits = (shown: Fields, tokens: number) => estimateTokens(textOf(shown)) <= tokens
  if (documents.length === 0 || fits(answer, documents.length === 1 ? most : usual))
    return { answer, leftOut: [] }
  if (documents.length > 1) {
    const isSandbox = toObject(answer['intent'])['network'] === 'sandbox'
    const [stays, goes] = isSandbox ? DOCUMENTS : (['transaction', 'commands'] as const)
    for (const leftOut of [[goes], [goes, ...ABOUT_THEM]]) {
      const one = without(answer, leftOut)
      if (fits(one, most)) return { answer: one, leftOut: leftOut.filter((name) => name in answer), stays }
    }
  }
  const leftOut = [...documents, ...ABOUT_THEM].filter((name) => answer[name] !== undefined)
  return { answer: without(answer, leftOut), leftOut }
}

const without = (answer: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(answer).filter(([name]) => !names.includes(name)))
