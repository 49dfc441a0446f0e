/** Files that repeat what others show once already. Some other files repeat less, too, unless `runsAll`. */
export const REPEATS = [
  {
    what: 'the tests of the API on Postgres, and on Postgres with Redis',
    files: /^server\/test\/stores\/api-on-postgres/,
  },
  { what: 'the container image', files: /^test\/ops\/image\// },
  { what: 'restarts of three instances behind nginx', files: /^server\/test\/scale\/rolling-restart/ },
  { what: 'faults of all kinds in a random order', files: /^server\/test\/faults\/lab\/short-run/ },
  {
    what: 'the rehearsal of benches and the stores they fill, and backtests of sandboxes',
    files: /^bench\/(?:rehearsal|support\/filled-store|backtest\/coverage)/,
  },
  {
    what: 'faults planted in pages, which the checks of pages must find',
    files: /^web\/test\/browser\/watched-page\//,
  },
] as const
const IN_OTHER_FILES = [
  'two thirds of the random cases of properties, and of repeated kills, faults and rotations',
  'the packages on Node 22 and 24',
  'four fifths of the bodies that Swagger UI shows',
  'pages at every width in both themes, and what moves on them at widths beside the narrowest',
]

export const isRepeat = (file: string): boolean => REPEATS.some(({ files }) => files.test(file))

export function leftToCi(): string {
  const repeats = [...REPEATS.map(({ what }) => what), ...IN_OTHER_FILES]
  return `\nLeft to npm test -- --all, which CI runs:\n${repeats.map((each) => `  ${each}`).join('\n')}`
}
