/** Formats a percentage in a sentence with two decimals (3.2 as 3.20%), like the pages, tables and guides. */
export const printPercent = (percent: number): string => `${percent.toFixed(2)}%`
