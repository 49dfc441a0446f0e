import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ServiceProcess, startService } from '../../../../test/e2e/service-process.ts'
import { findLibrary } from '../../clocks/faked-service.ts'
import { SECRETS } from '../../scale/support/admin-token.ts'
import { freePort } from '../../support/server-process.ts'

const SETTINGS = {
  ...SECRETS,
  LIMIT_IP_RPM: '1000000',
  LIMIT_GLOBAL_RPM: '1000000',
  LOG_LEVEL: 'error',
  REFRESH_MS: '30000',
}

/** An instance that is killed and started again on its port, and whose machine's clock can be set. */
export type LabInstance = AsyncDisposable & {
  readonly url: string
  /** Ends it at once, and starts it again. */
  restart(): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  setClock(offsetSeconds: number): Promise<void>
  /** Set when it has ended without being told to. */
  ended(): string | undefined
}

export async function openInstance(
  name: string,
  folder: string,
  stores: Readonly<Record<string, string>>,
): Promise<LabInstance> {
  const clock = join(folder, `${name}-clock`)
  const setClock = async (offsetSeconds: number) => {
    // Read at any time: it must never be half written.
    await writeFile(`${clock}.new`, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}\n`)
    await rename(`${clock}.new`, clock)
  }
  await setClock(0)
  const env = {
    ...SETTINGS,
    ...stores,
    DATA_DIR: folder,
    PORT: String(await freePort()),
    ...(await fakedClock(clock)),
  }
  let service: ServiceProcess = await startService(env)
  let unexpected: string | undefined
  const watch = (started: ServiceProcess) =>
    started.child.once('exit', (code, signal) => {
      if (started === service)
        unexpected ??= `${name} ended with ${code ?? signal}: ${started.output().slice(-2_000)}`
    })
  watch(service)
  const kill = async () => {
    const old = service
    old.child.removeAllListeners('exit')
    await old[Symbol.asyncDispose]()
  }
  return {
    url: service.url,
    async restart() {
      await kill()
      service = await startService(env)
      watch(service)
    },
    signal: (signal) => void service.child.kill(signal),
    setClock,
    ended: () => unexpected,
    [Symbol.asyncDispose]: kill,
  }
}

/** The C library tells the time that is in the file; how much time passes stays as it is. */
async function fakedClock(file: string): Promise<Readonly<Record<string, string>>> {
  return {
    LD_PRELOAD: await findLibrary(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
}
