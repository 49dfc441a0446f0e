import { useRef, useState } from 'preact/hooks'
import { AT_ONCE, type PagedList } from '../../data/lists/paged-list.ts'
import { focusOnce } from '../focus.ts'
import { formatCount } from '../format.ts'
import { html, type View } from '../html.ts'

type Props = {
  readonly list: PagedList<unknown>
  /** What the list has, in the plural: "actions". */
  readonly what: string
  /** Which items were read: `newest` if the list is in that order. */
  readonly which: 'newest' | 'first'
}

/** Says that a list is incomplete and offers to read more; nothing for a list that was complete from the beginning. */
export function ListEnd({ list, what, which }: Props): View {
  const { data, hasMore, isReading, readMore } = list
  const wasAsked = useRef(false)
  if (!data) return null
  const count = formatCount(data.length)
  if (!hasMore)
    return (
      wasAsked.current &&
      html`<p class="list-end small soft" tabindex="-1" ref=${focusOnce} role="status">All ${count} ${what} are here.</p>`
    )
  const read = () => {
    wasAsked.current = true
    readMore()
  }
  return html`<p class="list-end small soft">Only the ${which} ${count} ${what} were read. <button type="button" class="button" data-size="small" aria-disabled=${isReading} onClick=${isReading ? undefined : read}>${isReading ? 'Reading …' : `Read ${formatCount(AT_ONCE)} more`}</button></p>`
}

/** The first `step` items, and a button that shows `step` more. */
export function useFirst<T>(all: readonly T[], step: number): readonly [shown: readonly T[], more: View] {
  const [count, setCount] = useState(step)
  const left = all.length - count
  if (left <= 0) return [all, null]
  const more = html`<p class="list-end small soft">${formatCount(count)} of ${formatCount(all.length)} are shown. <button type="button" class="button" data-size="small" onClick=${() => setCount(count + step)}>Show ${formatCount(Math.min(step, left))} more</button></p>`
  return [all.slice(0, count), more]
}
