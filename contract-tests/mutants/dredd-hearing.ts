import type { Contract } from '#spec';
import { askDredd } from '../opinions/dredd.ts';
import type { Sheet } from '../opinions/dredd-rows.ts';
import type { Installed } from '../opinions/find-judge.ts';
import { type Remark, Unheard } from '../opinions/opinion.ts';

/** So many runs are shown to Dredd at one start. */
const SHARE = 40;

/** What Dredd says of the rows of many runs against one document. */
export async function hearDreddOn(
  contract: Contract,
  sheets: readonly Sheet[],
  installed: Installed,
): Promise<(readonly Remark[])[]> {
  const heard: (readonly Remark[])[] = [];
  for (let from = 0; from < sheets.length; from += SHARE)
    heard.push(...(await hearShare(contract, sheets.slice(from, from + SHARE), installed)));
  return heard;
}

/** An answer that Dredd does not survive silences it about its own run only. */
async function hearShare(
  contract: Contract,
  sheets: readonly Sheet[],
  installed: Installed,
): Promise<(readonly Remark[])[]> {
  try {
    return await askDredd(contract, sheets, installed);
  } catch (error) {
    if (!(error instanceof Unheard)) throw error;
    if (sheets.length === 1) return [[]];
    const half = Math.ceil(sheets.length / 2);
    return [
      ...(await hearShare(contract, sheets.slice(0, half), installed)),
      ...(await hearShare(contract, sheets.slice(half), installed)),
    ];
  }
}
