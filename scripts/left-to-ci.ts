/**
 * Files that `npm test` leaves to `npm test -- --all`, which CI runs (docs/decisions/0017). Some other files do less, too,
 * unless `runsAll`.
 */
export const LEFT_TO_CI = [
  {
    what: 'the tests of the API on Postgres, and on Postgres with Redis',
    files: /^server\/test\/stores\/api-on-postgres/,
  },
  { what: 'the container image', files: /^test\/ops\/image\// },
  {
    what: 'several instances that restart behind nginx, read the chain for each other, or are killed while policies decide',
    files: /^server\/test\/(?:scale\/(?:rolling-restart|one-reads|killed)|clocks\/one-reads)/,
  },
  { what: 'faults of all kinds in a random order', files: /^server\/test\/faults\/lab\/short-run/ },
  {
    what: 'the rehearsal of benches and the stores they fill, and backtests of sandboxes',
    files: /^bench\/(?:rehearsal|support\/filled-store|backtest\/coverage)/,
  },
  {
    what: 'details of pages: links with errors, refused forms, focus, drafts, other languages and colours, long lists, outages, shifts while they load',
    files:
      /^web\/test\/browser\/(?:addresses|chain-facts|first-view|guides|later-views|live|locales|long-lists|service-away|labs\/|forms\/(?:focus|plain|second)|console\/(?:admin-health|flooded|new-key|policy-edits|reservations|two-agents)|explorer\/(?:copy|forced|navigation|own-weights|validator-page))/,
  },
  {
    what: 'faults planted in pages, which the checks of pages must find',
    files: /^web\/test\/browser\/watched-page\//,
  },
  { what: 'the MCP Inspector', files: /^server\/test\/mcp\/inspector/ },
  { what: 'completion in zsh and fish', files: /^cli\/test\/shell\/completion/ },
] as const
const IN_OTHER_FILES = [
  'two thirds of the random cases of properties, and of repeated kills, faults and rotations',
  'all but the first of several wrong clocks',
  'the packages on Node 22 and 24, and each command of the packed command line',
  'four fifths of the bodies that Swagger UI shows',
  'pages at every width in both themes',
]

export const isLeftToCi = (file: string): boolean => LEFT_TO_CI.some(({ files }) => files.test(file))

export function describeLeftToCi(): string {
  const left = [...LEFT_TO_CI.map(({ what }) => what), ...IN_OTHER_FILES]
  return `\nLeft to npm test -- --all, which CI runs:\n${left.map((each) => `  ${each}`).join('\n')}`
}
