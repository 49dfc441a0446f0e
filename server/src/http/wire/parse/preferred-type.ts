/**
 * The offered media type with the highest weight in `Accept`, tie-break: the first. Undefined if `Accept` names none
 * of them; wildcards do not count.
 */
export function preferredType<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Type | undefined {
  const named = (accept ?? '').split(',').flatMap((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const type = offered.find((one) => one === name)
    return type === undefined ? [] : [{ type, weight: weightOf(parameters) }]
  })
  const [best] = named.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)
  return best?.type
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** Defaults to 1, also for a malformed weight. */
function weightOf(parameters: readonly string[]): number {
  const [, weight] = parameters.map((one) => WEIGHT.exec(one)).find((found) => found !== null) ?? []
  return weight === undefined ? 1 : Number(weight)
}
