/** What the backtest can do: the options that each run needs, the one that names it first, and those it may have. */
const COMMANDS = [
  { needs: ['coverage', 'data'], takes: ['equal-pay'] },
  { needs: ['coverage'], takes: ['seeds'] },
  { needs: ['sandbox'], takes: ['seeds', 'epochs', 'out'] },
  { needs: ['rates'], takes: [] },
  { needs: ['fit-membership', 'data'], takes: ['other'] },
  { needs: ['foresight', 'data', 'equal-pay'], takes: ['warm-up'] },
  { needs: ['data'], takes: ['out', 'warm-up', 'every', 'equal-pay'] },
] as const satisfies readonly { readonly needs: readonly string[]; readonly takes: readonly string[] }[]

const NUMBERS = ['warm-up', 'every', 'equal-pay', 'seeds', 'epochs']

/** What to change if the given options are no command; undefined if they are one. */
export function findProblem(options: ReadonlyMap<string, string | undefined>): string | undefined {
  const given = [...options.keys()]
  const judged = COMMANDS.map(({ needs, takes }) => {
    const known: readonly string[] = [...needs, ...takes]
    return {
      name: needs[0],
      missing: needs.filter((option) => !given.includes(option)),
      unused: given.filter((option) => !known.includes(option)),
    }
  })
  if (judged.some(({ missing, unused }) => missing.length + unused.length === 0)) {
    const wrong = NUMBERS.find((name) => options.has(name) && !(Number(options.get(name)) > 0))
    return wrong && `--${wrong} must be a number above 0.`
  }
  const meant = judged.find(({ name }) => given.includes(name))
  if (!meant) return 'The history to walk through is missing: add --data.'
  const name = meant.name === 'data' ? 'The backtest' : `--${meant.name}`
  return [
    ...meant.missing.map((option) => `${name} needs --${option}: add it.`),
    ...meant.unused.map((option) => `${name} does not use --${option}: leave it out.`),
  ].join(' ')
}
