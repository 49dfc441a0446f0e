import { readChainId } from '../address/read-parts.ts'

type Candidate = { readonly id: string; readonly name: string }

/** The validator that a text names, by id or by a unique name. Names are chosen by third parties. */
export type Named =
  | { readonly kind: 'one'; readonly id: string }
  | { readonly kind: 'several' }
  | { readonly kind: 'nobody' }

export function findNamed(text: string, validators: readonly Candidate[]): Named {
  // Ids take precedence: a validator may have the id of another validator as its name.
  const id = readChainId(text)
  if (id !== undefined)
    return validators.some((one) => one.id === id) ? { kind: 'one', id } : { kind: 'nobody' }
  const [first, ...others] = validators.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (!first) return { kind: 'nobody' }
  return others.length > 0 ? { kind: 'several' } : { kind: 'one', id: first.id }
}

/** A validator's name if `findNamed` finds the validator by it and it contains no separator, otherwise the id. */
export function uniqueNameOf(id: string, validators: readonly Candidate[], separators: RegExp): string {
  const name = validators.find((one) => one.id === id)?.name ?? id
  const found = findNamed(name, validators)
  const isClear = name === name.trim() && !separators.test(name) && found.kind === 'one' && found.id === id
  return isClear ? name : id
}

/** Why a text does not name one validator, as the end of a sentence. */
export const unnamedText = (text: string, { kind }: Named): string =>
  kind === 'several'
    ? `several validators are called “${text}”: write the id of the one you mean.`
    : `there is no validator called “${text}”.`
