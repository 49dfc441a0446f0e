/**
 * Whether the endpoints a chain is read from say the same. A transaction is built only when they do: one that is
 * wrong about the validators, or about the package to call, would otherwise decide alone.
 */
export type Agreement =
  /** Only one endpoint is configured; there is nothing to compare. */
  | { readonly kind: 'single' }
  | { readonly kind: 'agreed'; readonly epoch: number }
  | { readonly kind: 'disagreed' }
  /** Fewer than two endpoints answered. */
  | { readonly kind: 'unknown' }

export type ChainAgreement = {
  /** Looks at the epoch, the validators and the called package. Callers of the same moment share one look. */
  agreement(deadline: AbortSignal): Promise<Agreement>
}
