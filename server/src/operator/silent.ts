import type { Logger } from '#ports/logger.ts'

/** Operator commands print their result only; what goes wrong is thrown. */
export const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }
