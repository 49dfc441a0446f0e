import type { Logger } from '#ports/logger.ts'

/** Operator commands print only their result; failures are thrown. */
export const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }
