import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Groups of isolated tests that load the same modules, and the size of their batches: smaller where tests are slow. */
const ALIKE = [
  { name: 'packages', of: /^(?:contract|client|verify)\//, most: 20 },
  { name: 'cli', of: /^cli\//, most: 10 },
  { name: 'server', of: /^server\/src\//, most: 45 },
  {
    name: 'service',
    of: /^server\/test\/(?:agents|canary|contracts|discovery|edge|limits|model|policy|sandbox)\//,
    most: 20,
  },
  { name: 'mcp-and-sui', of: /^server\/test\/(?:mcp|sui)\//, most: 14 },
  {
    name: 'clocks-faults-and-scale',
    // The other tests of these folders are slow, or measure the time of a service.
    of: /^server\/test\/(?:clocks\/(?!one-)|faults\/(?:behind|hostile|lost)|scale\/(?:backup|instances|killed|migrate|policy|postgres-hosts|registration|wrong))/,
    most: 5,
  },
  {
    // Their time goes to processes that they start and kill, one after the other.
    name: 'processes',
    of: /^(?:server\/test\/(?:crash|stores(?!\/api-on))|test\/(?:e2e|python))\//,
    most: 8,
  },
  { name: 'outside-tools', of: /^test\/(?:openapi|ops\/[^/]+$)/, most: 6 },
  {
    name: 'repository',
    of: /^(?:bench\/(?!rehearsal|support\/filled|backtest\/coverage)|scripts\/|test\/(?:[^/]+$|packages\/versions)|server\/test\/(?:faults\/lab\/(?!short)|support\/|twins\/))/,
    most: 25,
  },
  { name: 'web', of: /^web\/test\/(?!browser)/, most: 20 },
  { name: 'browser', of: /^web\/test\/browser\//, most: 12 },
] as const
/** Code that reads or changes the state of the whole process: such a file needs a process of its own. */
const OF_ITS_PROCESS = /process\.(?:env\[[^\]]+\] = |chdir|exit|on\(|memoryUsage|cpuUsage)|queryObjects/
const HAS_TESTS = /\btest\w*\(/

export type Batches = {
  /** The files to run: batches, and the files with a process of their own. */
  readonly files: readonly string[]
  /** The number of test files in a batch; 1 for others. */
  readonly sizeOf: (file: string) => number
}

/**
 * Puts files that load the same modules into one process: loading the service takes a second of processor time, more
 * than most of these tests do. The file of a batch, written to `folder`, imports each of them in a suite of its own;
 * without a folder every file has its own process.
 */
export function batchFiles(root: string, files: readonly string[], folder: string | undefined): Batches {
  if (!folder) return { files: files.map((file) => join(root, file)), sizeOf: () => 1 }
  const sizes = new Map<string, number>()
  mkdirSync(folder, { recursive: true })
  const batches = ALIKE.flatMap(({ name, of, most }) => {
    const alike = files.filter((file) => of.test(file) && canShareProcess(join(root, file)))
    return chunksOf(alike, most).map((chunk, at) => {
      const batch = join(folder, `batch-${name}-${at + 1}.test.mjs`)
      writeFileSync(batch, toModule(root, chunk))
      sizes.set(batch, chunk.length)
      return { batch, chunk }
    })
  })
  const batchOf = new Map(batches.flatMap(({ batch, chunk }) => chunk.map((file) => [file, batch])))
  return {
    // A batch runs at the position of its first file.
    files: [...new Set(files.map((file) => batchOf.get(file) ?? join(root, file)))],
    sizeOf: (file) => sizes.get(file) ?? 1,
  }
}

function canShareProcess(file: string): boolean {
  const text = readFileSync(file, 'utf8')
  return HAS_TESTS.test(text) && !OF_ITS_PROCESS.test(text)
}

/** Splits into chunks of about equal length, of at most `most` files. */
function chunksOf(files: readonly string[], most: number): readonly (readonly string[])[] {
  const count = Math.ceil(files.length / most)
  return Array.from({ length: count }, (_, at) => files.filter((_file, index) => index % count === at))
}

const toModule = (root: string, files: readonly string[]): string =>
  [
    "import { suite } from 'node:test'",
    ...files.map((file) => {
      const url = pathToFileURL(join(root, file)).href
      return `suite(${JSON.stringify(file)}, async () => { await import(${JSON.stringify(url)}) })`
    }),
  ].join('\n')
