import { Refusal } from '../command.ts'

/** The operator's commands use the code of the service itself, which the published command line does not bring. */
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
