import { chmod, copyFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '../../../src/durations.ts'
import { findLibrary } from '../../clocks/faked-service.ts'

/** Clock of one machine. `env` makes a process use it. */
export type FakedClock = {
  readonly env: Readonly<Record<string, string>>
  /** Sets the deviation from the right time, in seconds. */
  setWrong(seconds: number): Promise<void>
}

/** The right time, which can be moved forward, and clocks of machines with a deviation each. */
export type FakedClocks = AsyncDisposable & {
  add(name: string): Promise<FakedClock>
  now(): number
  /** Moves the right time forward to shortly before the next midnight (UTC). */
  moveToMidnight(secondsBefore: number): Promise<void>
}

/** Clocks by libfaketime, which adds the offset from a file to the system time. Monotonic time is not faked. */
export async function fakeClocks(): Promise<FakedClocks> {
  const folder = await mkdtemp(join(tmpdir(), 'stakewright-clocks-'))
  // Database servers run as another user, who may not be let into the folder of this workspace.
  await chmod(folder, 0o755)
  const library = join(folder, 'library')
  await copyFile(await findLibrary(), library)
  const wrong = new Map<string, number>()
  let aheadSeconds = 0

  async function write(name: string): Promise<void> {
    const offset = aheadSeconds + (wrong.get(name) ?? 0)
    const file = join(folder, name)
    // Processes read the file at any time, so it is replaced atomically.
    await writeFile(`${file}.new`, `${offset < 0 ? '' : '+'}${offset}\n`, { mode: 0o644 })
    await rename(`${file}.new`, file)
  }
  const now = () => Date.now() + aheadSeconds * 1_000
  return {
    now,
    async add(name) {
      await write(name)
      wrong.set(name, 0)
      const env = {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: join(folder, name),
        // The file is read at each use, so that processes of one machine never have different times.
        FAKETIME_NO_CACHE: '1',
        DONT_FAKE_MONOTONIC: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        NO_FAKE_STAT: '1',
      }
      const setWrong = async (seconds: number) => {
        wrong.set(name, seconds)
        await write(name)
      }
      return { env, setWrong }
    },
    async moveToMidnight(secondsBefore) {
      const untilMidnight = DAY_MS - (now() % DAY_MS)
      aheadSeconds += Math.max(0, Math.round(untilMidnight / 1_000) - secondsBefore)
      await Promise.all([...wrong.keys()].map(write))
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
