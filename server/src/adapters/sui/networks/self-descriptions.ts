import { deriveDynamicFieldID } from '@mysten/sui/utils'
import type { ValidatorFacts } from '#ports/chain/staking-chain.ts'
import type { Conversation } from '../connection/conversation.ts'
import { decode, toDisplayText, toWebAddress, UnusableAnswer } from '../layouts/decode.ts'
import { EXTENDED_FIELD_KEY, selfDescription } from '../layouts/move-layouts.ts'
import { epochCache } from '../pools/epoch-cache.ts'
import type { NetworkConstants } from './networks.ts'

export type SelfDescription = Pick<ValidatorFacts, 'description' | 'imageUrl' | 'projectUrl'>

type Described = { readonly validatorId: string; readonly metadataId: string }

/**
 * Self-descriptions are separate objects and seldom change, so they are read once per epoch, and for new validators.
 */
export function openDescriptions({ extendedFieldPackageId }: NetworkConstants) {
  const keyType = `${extendedFieldPackageId}::extended_field::Key`
  const descriptionsOf = epochCache(() => new Map<string, SelfDescription>())

  return {
    async read(
      talk: Conversation,
      epoch: number,
      validators: readonly Described[],
    ): Promise<ReadonlyMap<string, SelfDescription>> {
      const said = descriptionsOf(talk, epoch)
      const missing = validators.filter(({ validatorId }) => !said.has(validatorId))
      const ids = missing.map(({ metadataId }) =>
        deriveDynamicFieldID(metadataId, keyType, EXTENDED_FIELD_KEY),
      )
      const found = ids.length === 0 ? [] : await talk.objects(ids)
      missing.forEach(({ validatorId }, index) => {
        said.set(validatorId, toDescription(found[index]?.contents))
      })
      return said
    },
  }
}

/** A missing or unreadable description does not exclude the validator. */
function toDescription(contents: Uint8Array | undefined): SelfDescription {
  if (contents === undefined) return {}
  try {
    const { value } = decode(selfDescription, contents, 'what a validator says about itself')
    return {
      description: toDisplayText(value.description),
      imageUrl: toWebAddress(value.image_url),
      projectUrl: toWebAddress(value.project_url),
    }
  } catch (error) {
    if (error instanceof UnusableAnswer) return {}
    throw error
  }
}
