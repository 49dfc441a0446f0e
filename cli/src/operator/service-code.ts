import { Refusal } from '../command.ts'

/** Operator commands import the service's own code, which is not part of the published command line. */
export async function loadService<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new Refusal(
      'usage',
      'This command works on the data of a service, and needs the code of the service.',
      'Run it in the folder of the service: npm run stakewright -- COMMAND',
    )
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && /Cannot find package '@stakewright\/server'/.test(error.message)
