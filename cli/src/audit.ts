import { EXIT } from './command.ts'

/** The verifier of the audit log. */
export async function auditCommand(_args: readonly string[]): Promise<number> {
  console.error('This version has no verifier of the audit log.')
  return EXIT.misused
}
