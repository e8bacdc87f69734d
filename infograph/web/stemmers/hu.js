/*!
The stemmers that infograph publishes for infograph.js are translations of those in the package snowballstemmer, which
Snowball (https://snowballstem.org/) generated; infograph/stemming/translation.py makes them. Snowball's licence:

Copyright (c) 2001, Dr Martin Porter
Copyright (c) 2004,2005, Richard Boulton
Copyright (c) 2013, Yoshiki Shibukawa
Copyright (c) 2006-2025, Olly Betts
All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions
are met:

  1. Redistributions of source code must retain the above copyright notice,
     this list of conditions and the following disclaimer.
  2. Redistributions in binary form must reproduce the above copyright notice,
     this list of conditions and the following disclaimer in the documentation
     and/or other materials provided with the distribution.
  3. Neither the name of the Snowball project nor the names of its contributors
     may be used to endorse or promote products derived from this software
     without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE FOR
ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
(INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON
ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/

/** The word that a Snowball program works on, in characters, and the commands of such a program. */
class Machine {
  stem(word) {
    this.current = [...word];
    this.cursor = this.limit_backward = this.bra = 0;
    this.limit = this.ket = this.current.length;
    this._stem();
    return this.current.join("");
  }

  in_grouping(group) {
    return this.step(this.cursor < this.limit && group.has(this.current[this.cursor]), 1);
  }

  out_grouping(group) {
    return this.step(this.cursor < this.limit && !group.has(this.current[this.cursor]), 1);
  }

  in_grouping_b(group) {
    return this.step(this.cursor > this.limit_backward && group.has(this.current[this.cursor - 1]), -1);
  }

  out_grouping_b(group) {
    return this.step(this.cursor > this.limit_backward && !group.has(this.current[this.cursor - 1]), -1);
  }

  step(taken, by) {
    if (taken) this.cursor += by;
    return taken;
  }

  go_in_grouping(group) {
    while (this.in_grouping(group));
    return this.cursor < this.limit;
  }

  go_out_grouping(group) {
    while (this.out_grouping(group));
    return this.cursor < this.limit;
  }

  go_in_grouping_b(group) {
    while (this.in_grouping_b(group));
    return this.cursor > this.limit_backward;
  }

  go_out_grouping_b(group) {
    while (this.out_grouping_b(group));
    return this.cursor > this.limit_backward;
  }

  eq_s(text) {
    const end = this.cursor + [...text].length;
    if (end > this.limit || this.between(this.cursor, end) !== text) return false;
    this.cursor = end;
    return true;
  }

  eq_s_b(text) {
    const start = this.cursor - [...text].length;
    if (start < this.limit_backward || this.between(start, this.cursor) !== text) return false;
    this.cursor = start;
    return true;
  }

  find_among({ sizes, places, rows }) {
    const start = this.cursor;
    for (const size of sizes) {
      const place = start + size <= this.limit ? places.get(this.between(start, start + size)) : undefined;
      if (place !== undefined) return this.among(rows, place, start, 1);
    }
    return 0;
  }

  find_among_b({ sizes, places, rows }) {
    const end = this.cursor;
    for (const size of sizes) {
      const place = end - size >= this.limit_backward ? places.get(this.between(end - size, end)) : undefined;
      if (place !== undefined) return this.among(rows, place, end, -1);
    }
    return 0;
  }

  /** The result of the first row, from a place on, whose condition holds; each says which one is next. */
  among(rows, place, from, direction) {
    while (place >= 0) {
      const [text, next, result, condition] = rows[place];
      const to = from + direction * [...text].length;
      this.cursor = to;
      if (!condition || this[condition]()) {
        this.cursor = to;
        return result;
      }
      place = next;
    }
    return 0;
  }

  between(start, end) {
    return this.current.slice(start, end).join("");
  }

  slice_to() {
    return this.between(this.bra, this.ket);
  }

  slice_from(text) {
    this.replace(this.bra, this.ket, text);
    this.ket = this.bra + [...text].length;
  }

  slice_del() {
    this.slice_from("");
  }

  insert(start, end, text) {
    const longer = this.replace(start, end, text);
    if (start <= this.bra) this.bra += longer;
    if (start <= this.ket) this.ket += longer;
  }

  replace(start, end, text) {
    const letters = [...text];
    const longer = letters.length - (end - start);
    this.current.splice(start, end - start, ...letters);
    this.limit += longer;
    if (this.cursor >= end) this.cursor += longer;
    else if (this.cursor > start) this.cursor = start;
    return longer;
  }
}

/** The rows of a Snowball `among`: text, place of the longest other row that it begins (or ends) with, result, condition. */
function table(...rows) {
  const sizes = [...new Set(rows.map(([text]) => [...text].length))].sort((a, b) => b - a);
  return { rows, sizes, places: new Map(rows.map(([text], place) => [text, place])) };
}

class HungarianStemmer extends Machine {
  g_v = new Set("aeiouáéíóöúüőű");
  I_p1 = 0;

  r_mark_regions() {
    let $v_1, $v_2;
    this.I_p1 = this.limit;
    while (true) {
      $v_1 = this.cursor;
      lab0: {
        if (!this.in_grouping(this.g_v)) {
          break lab0;
        }
        $v_2 = this.cursor;
        lab1: {
          if (!this.go_in_grouping(this.g_v)) {
            break lab1;
          }
          this.cursor += 1;
          this.I_p1 = this.cursor;
        }
        this.cursor = $v_2;
        break;
      }
      this.cursor = $v_1;
      if (!this.go_out_grouping(this.g_v)) {
        return false;
      }
      this.cursor += 1;
      this.I_p1 = this.cursor;
      break;
    }
    return true;
  }

  r_R1() {
    return this.I_p1 <= this.cursor;
  }

  r_v_ending() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_0);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    this.slice_from(this.as_0[$among_var - 1]);
    return true;
  }

  r_double() {
    let $v_1;
    $v_1 = this.limit - this.cursor;
    if (this.find_among_b(this.a_1) === 0) {
      return false;
    }
    this.cursor = this.limit - $v_1;
    return true;
  }

  r_undouble() {
    if (this.cursor <= this.limit_backward) {
      return false;
    }
    this.cursor -= 1;
    this.ket = this.cursor;
    if (this.cursor <= this.limit_backward) {
      return false;
    }
    this.cursor -= 1;
    this.bra = this.cursor;
    this.slice_del();
    return true;
  }

  r_instrum() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_2) === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    if (!this.r_double()) {
      return false;
    }
    this.slice_del();
    return this.r_undouble();
  }

  r_case() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_3) === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    this.slice_del();
    return this.r_v_ending();
  }

  r_case_special() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_4);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    this.slice_from(this.as_4[$among_var - 1]);
    return true;
  }

  r_case_other() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_5);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    this.slice_from(this.as_5[$among_var - 1]);
    return true;
  }

  r_factive() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_6) === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    if (!this.r_double()) {
      return false;
    }
    this.slice_del();
    return this.r_undouble();
  }

  r_plural() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_7);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    this.slice_from(this.as_7[$among_var - 1]);
    return true;
  }

  r_owned() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_8);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    this.slice_from(this.as_8[$among_var - 1]);
    return true;
  }

  r_sing_owner() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_9);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    this.slice_from(this.as_9[$among_var - 1]);
    return true;
  }

  r_plur_owner() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_10);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    this.slice_from(this.as_10[$among_var - 1]);
    return true;
  }

  _stem() {
    let $v_1, $v_10, $v_2, $v_3, $v_4, $v_5, $v_6, $v_7, $v_8, $v_9;
    $v_1 = this.cursor;
    this.r_mark_regions();
    this.cursor = $v_1;
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_2 = this.limit - this.cursor;
    this.r_instrum();
    this.cursor = this.limit - $v_2;
    $v_3 = this.limit - this.cursor;
    this.r_case();
    this.cursor = this.limit - $v_3;
    $v_4 = this.limit - this.cursor;
    this.r_case_special();
    this.cursor = this.limit - $v_4;
    $v_5 = this.limit - this.cursor;
    this.r_case_other();
    this.cursor = this.limit - $v_5;
    $v_6 = this.limit - this.cursor;
    this.r_factive();
    this.cursor = this.limit - $v_6;
    $v_7 = this.limit - this.cursor;
    this.r_owned();
    this.cursor = this.limit - $v_7;
    $v_8 = this.limit - this.cursor;
    this.r_sing_owner();
    this.cursor = this.limit - $v_8;
    $v_9 = this.limit - this.cursor;
    this.r_plur_owner();
    this.cursor = this.limit - $v_9;
    $v_10 = this.limit - this.cursor;
    this.r_plural();
    this.cursor = this.limit - $v_10;
    this.cursor = this.limit_backward;
    return true;
  }
  a_0 = table(
    ["á", -1, 1],
    ["é", -1, 2],
  );
  as_0 = ["a", "e"];
  a_1 = table(
    ["bb", -1, -1],
    ["cc", -1, -1],
    ["dd", -1, -1],
    ["ff", -1, -1],
    ["gg", -1, -1],
    ["jj", -1, -1],
    ["kk", -1, -1],
    ["ll", -1, -1],
    ["mm", -1, -1],
    ["nn", -1, -1],
    ["pp", -1, -1],
    ["rr", -1, -1],
    ["ccs", -1, -1],
    ["ss", -1, -1],
    ["zzs", -1, -1],
    ["tt", -1, -1],
    ["vv", -1, -1],
    ["ggy", -1, -1],
    ["lly", -1, -1],
    ["nny", -1, -1],
    ["tty", -1, -1],
    ["ssz", -1, -1],
    ["zz", -1, -1],
  );
  a_2 = table(
    ["al", -1, 1],
    ["el", -1, 1],
  );
  a_3 = table(
    ["ba", -1, -1],
    ["ra", -1, -1],
    ["be", -1, -1],
    ["re", -1, -1],
    ["ig", -1, -1],
    ["nak", -1, -1],
    ["nek", -1, -1],
    ["val", -1, -1],
    ["vel", -1, -1],
    ["ul", -1, -1],
    ["nál", -1, -1],
    ["nél", -1, -1],
    ["ból", -1, -1],
    ["ról", -1, -1],
    ["tól", -1, -1],
    ["ül", -1, -1],
    ["ből", -1, -1],
    ["ről", -1, -1],
    ["től", -1, -1],
    ["n", -1, -1],
    ["an", 19, -1],
    ["ban", 20, -1],
    ["en", 19, -1],
    ["ben", 22, -1],
    ["képpen", 22, -1],
    ["on", 19, -1],
    ["ön", 19, -1],
    ["képp", -1, -1],
    ["kor", -1, -1],
    ["t", -1, -1],
    ["at", 29, -1],
    ["et", 29, -1],
    ["ként", 29, -1],
    ["anként", 32, -1],
    ["enként", 32, -1],
    ["onként", 32, -1],
    ["ot", 29, -1],
    ["ért", 29, -1],
    ["öt", 29, -1],
    ["hez", -1, -1],
    ["hoz", -1, -1],
    ["höz", -1, -1],
    ["vá", -1, -1],
    ["vé", -1, -1],
  );
  a_4 = table(
    ["án", -1, 2],
    ["én", -1, 1],
    ["ánként", -1, 2],
  );
  as_4 = ["e", "a"];
  a_5 = table(
    ["stul", -1, 1],
    ["astul", 0, 1],
    ["ástul", 0, 2],
    ["stül", -1, 1],
    ["estül", 3, 1],
    ["éstül", 3, 3],
  );
  as_5 = ["", "a", "e"];
  a_6 = table(
    ["á", -1, 1],
    ["é", -1, 1],
  );
  a_7 = table(
    ["k", -1, 3],
    ["ak", 0, 3],
    ["ek", 0, 3],
    ["ok", 0, 3],
    ["ák", 0, 1],
    ["ék", 0, 2],
    ["ök", 0, 3],
  );
  as_7 = ["a", "e", ""];
  a_8 = table(
    ["éi", -1, 1],
    ["áéi", 0, 3],
    ["ééi", 0, 2],
    ["é", -1, 1],
    ["ké", 3, 1],
    ["aké", 4, 1],
    ["eké", 4, 1],
    ["oké", 4, 1],
    ["áké", 4, 3],
    ["éké", 4, 2],
    ["öké", 4, 1],
    ["éé", 3, 2],
  );
  as_8 = ["", "e", "a"];
  a_9 = table(
    ["a", -1, 1],
    ["ja", 0, 1],
    ["d", -1, 1],
    ["ad", 2, 1],
    ["ed", 2, 1],
    ["od", 2, 1],
    ["ád", 2, 2],
    ["éd", 2, 3],
    ["öd", 2, 1],
    ["e", -1, 1],
    ["je", 9, 1],
    ["nk", -1, 1],
    ["unk", 11, 1],
    ["ánk", 11, 2],
    ["énk", 11, 3],
    ["ünk", 11, 1],
    ["uk", -1, 1],
    ["juk", 16, 1],
    ["ájuk", 17, 2],
    ["ük", -1, 1],
    ["jük", 19, 1],
    ["éjük", 20, 3],
    ["m", -1, 1],
    ["am", 22, 1],
    ["em", 22, 1],
    ["om", 22, 1],
    ["ám", 22, 2],
    ["ém", 22, 3],
    ["o", -1, 1],
    ["á", -1, 2],
    ["é", -1, 3],
  );
  as_9 = ["", "a", "e"];
  a_10 = table(
    ["id", -1, 1],
    ["aid", 0, 1],
    ["jaid", 1, 1],
    ["eid", 0, 1],
    ["jeid", 3, 1],
    ["áid", 0, 2],
    ["éid", 0, 3],
    ["i", -1, 1],
    ["ai", 7, 1],
    ["jai", 8, 1],
    ["ei", 7, 1],
    ["jei", 10, 1],
    ["ái", 7, 2],
    ["éi", 7, 3],
    ["itek", -1, 1],
    ["eitek", 14, 1],
    ["jeitek", 15, 1],
    ["éitek", 14, 3],
    ["ik", -1, 1],
    ["aik", 18, 1],
    ["jaik", 19, 1],
    ["eik", 18, 1],
    ["jeik", 21, 1],
    ["áik", 18, 2],
    ["éik", 18, 3],
    ["ink", -1, 1],
    ["aink", 25, 1],
    ["jaink", 26, 1],
    ["eink", 25, 1],
    ["jeink", 28, 1],
    ["áink", 25, 2],
    ["éink", 25, 3],
    ["aitok", -1, 1],
    ["jaitok", 32, 1],
    ["áitok", -1, 2],
    ["im", -1, 1],
    ["aim", 35, 1],
    ["jaim", 36, 1],
    ["eim", 35, 1],
    ["jeim", 38, 1],
    ["áim", 35, 2],
    ["éim", 35, 3],
  );
  as_10 = ["", "a", "e"];
}

const program = new HungarianStemmer();

/** ISO 639-1 code. */
export const language = "hu";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
