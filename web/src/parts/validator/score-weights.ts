import { memoize } from '../../data/memo.ts'
import type { Scoring } from '../../data/queries.ts'
import type { Loaded } from '../../data/query.ts'
import { toWeights, type Weights } from '../../data/score.ts'
import { isByLimit } from '../../data/service.ts'
import { html, type View } from '../html.ts'

/**
 * The weights for the bars beside scores; undefined if they could not be loaded. While they are loading the bars are
 * empty, so that nothing moves when they arrive.
 */
export const shownWeights = ({ data, error }: Loaded<Scoring>): Weights | undefined =>
  data === undefined && error !== undefined ? undefined : weightsOf(data ?? NO_SCORING)

const NO_SCORING = { weights: {} }
const weightsOf = memoize(({ weights }: { readonly weights: Readonly<Record<string, number>> }) =>
  toWeights(weights),
)

/** Says that the bars are left out, unless the limit of requests is the reason, which has its own notice. */
export const noBars = (error: unknown): View =>
  !isByLimit(error) &&
  html`<p class="notice" data-tone="attention" role="status">What the scores are made of could not be loaded: the bars beside them are left out.</p>`
