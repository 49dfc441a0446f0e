import type { Validator } from '../../data/queries.ts'
import { shortId } from '../format.ts'
import { html, type View } from '../html.ts'
import { validatorLink } from '../validator-link.ts'

/** Names of validators by their ids. */
export type Names = ReadonlyMap<string, string>

export const namesOf = (validators: readonly Validator[]): Names =>
  new Map(validators.map(({ id, name }) => [id, name]))

/** A validator's name with a link, or its id if the name is unknown. */
export function validatorText(id: string, names: Names): View {
  const name = names.get(id)
  return name === undefined
    ? html`<span class="id" title=${id}>${shortId(id)}</span>`
    : validatorLink({ id, name })
}
