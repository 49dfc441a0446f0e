/** A percentage in a sentence: 3.2 is written as 3.20%, as pages, tables and guides write it. */
export const printPercent = (percent: number): string => `${percent.toFixed(2)}%`
