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

class LithuanianStemmer extends Machine {
  g_v = new Set("aeiouyąėęįūų");
  I_p1 = 0;

  r_step1() {
    let $v_2;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    if (this.find_among_b(this.a_0) === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    this.slice_del();
    return true;
  }

  r_step2() {
    let $v_1, $v_3;
    while (true) {
      $v_1 = this.limit - this.cursor;
      lab0: {
        if (this.cursor < this.I_p1) {
          break lab0;
        }
        $v_3 = this.limit_backward;
        this.limit_backward = this.I_p1;
        this.ket = this.cursor;
        if (this.find_among_b(this.a_1) === 0) {
          this.limit_backward = $v_3;
          break lab0;
        }
        this.bra = this.cursor;
        this.limit_backward = $v_3;
        this.slice_del();
        continue;
      }
      this.cursor = this.limit - $v_1;
      break;
    }
    return true;
  }

  r_fix_conflicts() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_2);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_from(this.as_2[$among_var - 1]);
    return true;
  }

  r_fix_chdz() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_3);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_from(this.as_3[$among_var - 1]);
    return true;
  }

  r_fix_gd() {
    this.ket = this.cursor;
    if (!this.eq_s_b("gd")) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_from("g");
    return true;
  }

  _stem() {
    let $v_1, $v_2, $v_3, $v_4, $v_5, $v_6, $v_7, $v_8;
    this.I_p1 = this.limit;
    $v_1 = this.cursor;
    lab0: {
      $v_2 = this.cursor;
      lab1: {
        if (this.cursor === this.limit || this.current[this.cursor] !== "a") {
          this.cursor = $v_2;
          break lab1;
        }
        this.cursor += 1;
        if (this.current.length <= 6) {
          this.cursor = $v_2;
          break lab1;
        }
      }
      if (!this.go_out_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      if (!this.go_in_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      this.I_p1 = this.cursor;
    }
    this.cursor = $v_1;
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_3 = this.limit - this.cursor;
    this.r_fix_conflicts();
    this.cursor = this.limit - $v_3;
    $v_4 = this.limit - this.cursor;
    this.r_step1();
    this.cursor = this.limit - $v_4;
    $v_5 = this.limit - this.cursor;
    this.r_fix_chdz();
    this.cursor = this.limit - $v_5;
    $v_6 = this.limit - this.cursor;
    this.r_step2();
    this.cursor = this.limit - $v_6;
    $v_7 = this.limit - this.cursor;
    this.r_fix_chdz();
    this.cursor = this.limit - $v_7;
    $v_8 = this.limit - this.cursor;
    this.r_fix_gd();
    this.cursor = this.limit - $v_8;
    this.ket = this.cursor;
    if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "'") {
      return false;
    }
    this.cursor -= 1;
    this.bra = this.cursor;
    this.slice_del();
    this.cursor = this.limit_backward;
    return true;
  }
  a_0 = table(
    ["a", -1, -1],
    ["ia", 0, -1],
    ["osna", 0, -1],
    ["iosna", 2, -1],
    ["uosna", 2, -1],
    ["iuosna", 4, -1],
    ["ysna", 0, -1],
    ["ėsna", 0, -1],
    ["e", -1, -1],
    ["ie", 8, -1],
    ["enie", 9, -1],
    ["oje", 8, -1],
    ["ioje", 11, -1],
    ["uje", 8, -1],
    ["iuje", 13, -1],
    ["yje", 8, -1],
    ["enyje", 15, -1],
    ["ėje", 8, -1],
    ["ame", 8, -1],
    ["iame", 18, -1],
    ["sime", 8, -1],
    ["ome", 8, -1],
    ["ėme", 8, -1],
    ["tumėme", 22, -1],
    ["ose", 8, -1],
    ["iose", 24, -1],
    ["uose", 24, -1],
    ["iuose", 26, -1],
    ["yse", 8, -1],
    ["enyse", 28, -1],
    ["ėse", 8, -1],
    ["ate", 8, -1],
    ["iate", 31, -1],
    ["ite", 8, -1],
    ["kite", 33, -1],
    ["site", 33, -1],
    ["ote", 8, -1],
    ["tute", 8, -1],
    ["ėte", 8, -1],
    ["tumėte", 38, -1],
    ["i", -1, -1],
    ["ai", 40, -1],
    ["iai", 41, -1],
    ["ei", 40, -1],
    ["tumei", 43, -1],
    ["ki", 40, -1],
    ["imi", 40, -1],
    ["umi", 40, -1],
    ["iumi", 47, -1],
    ["si", 40, -1],
    ["asi", 49, -1],
    ["iasi", 50, -1],
    ["esi", 49, -1],
    ["iesi", 52, -1],
    ["siesi", 53, -1],
    ["isi", 49, -1],
    ["aisi", 55, -1],
    ["eisi", 55, -1],
    ["tumeisi", 57, -1],
    ["uisi", 55, -1],
    ["osi", 49, -1],
    ["ėjosi", 60, -1],
    ["uosi", 60, -1],
    ["iuosi", 62, -1],
    ["siuosi", 63, -1],
    ["usi", 49, -1],
    ["ausi", 65, -1],
    ["čiausi", 66, -1],
    ["ąsi", 49, -1],
    ["ėsi", 49, -1],
    ["ųsi", 49, -1],
    ["tųsi", 70, -1],
    ["ti", 40, -1],
    ["enti", 72, -1],
    ["inti", 72, -1],
    ["oti", 72, -1],
    ["ioti", 75, -1],
    ["uoti", 75, -1],
    ["iuoti", 77, -1],
    ["auti", 72, -1],
    ["iauti", 79, -1],
    ["yti", 72, -1],
    ["ėti", 72, -1],
    ["telėti", 82, -1],
    ["inėti", 82, -1],
    ["terėti", 82, -1],
    ["ui", 40, -1],
    ["iui", 86, -1],
    ["eniui", 87, -1],
    ["oj", -1, -1],
    ["ėj", -1, -1],
    ["k", -1, -1],
    ["am", -1, -1],
    ["iam", 92, -1],
    ["iem", -1, -1],
    ["im", -1, -1],
    ["sim", 95, -1],
    ["om", -1, -1],
    ["tum", -1, -1],
    ["ėm", -1, -1],
    ["tumėm", 99, -1],
    ["an", -1, -1],
    ["on", -1, -1],
    ["ion", 102, -1],
    ["un", -1, -1],
    ["iun", 104, -1],
    ["ėn", -1, -1],
    ["o", -1, -1],
    ["io", 107, -1],
    ["enio", 108, -1],
    ["ėjo", 107, -1],
    ["uo", 107, -1],
    ["s", -1, -1],
    ["as", 112, -1],
    ["ias", 113, -1],
    ["es", 112, -1],
    ["ies", 115, -1],
    ["is", 112, -1],
    ["ais", 117, -1],
    ["iais", 118, -1],
    ["tumeis", 117, -1],
    ["imis", 117, -1],
    ["enimis", 121, -1],
    ["omis", 117, -1],
    ["iomis", 123, -1],
    ["umis", 117, -1],
    ["ėmis", 117, -1],
    ["enis", 117, -1],
    ["asis", 117, -1],
    ["ysis", 117, -1],
    ["ams", 112, -1],
    ["iams", 130, -1],
    ["iems", 112, -1],
    ["ims", 112, -1],
    ["enims", 133, -1],
    ["oms", 112, -1],
    ["ioms", 135, -1],
    ["ums", 112, -1],
    ["ėms", 112, -1],
    ["ens", 112, -1],
    ["os", 112, -1],
    ["ios", 140, -1],
    ["uos", 140, -1],
    ["iuos", 142, -1],
    ["us", 112, -1],
    ["aus", 144, -1],
    ["iaus", 145, -1],
    ["ius", 144, -1],
    ["ys", 112, -1],
    ["enys", 148, -1],
    ["ąs", 112, -1],
    ["iąs", 150, -1],
    ["ės", 112, -1],
    ["amės", 152, -1],
    ["iamės", 153, -1],
    ["imės", 152, -1],
    ["kimės", 155, -1],
    ["simės", 155, -1],
    ["omės", 152, -1],
    ["ėmės", 152, -1],
    ["tumėmės", 159, -1],
    ["atės", 152, -1],
    ["iatės", 161, -1],
    ["sitės", 152, -1],
    ["otės", 152, -1],
    ["ėtės", 152, -1],
    ["tumėtės", 165, -1],
    ["įs", 112, -1],
    ["ūs", 112, -1],
    ["tųs", 112, -1],
    ["at", -1, -1],
    ["iat", 170, -1],
    ["it", -1, -1],
    ["sit", 172, -1],
    ["ot", -1, -1],
    ["ėt", -1, -1],
    ["tumėt", 175, -1],
    ["u", -1, -1],
    ["au", 177, -1],
    ["iau", 178, -1],
    ["čiau", 179, -1],
    ["iu", 177, -1],
    ["eniu", 181, -1],
    ["siu", 181, -1],
    ["y", -1, -1],
    ["ą", -1, -1],
    ["ią", 185, -1],
    ["ė", -1, -1],
    ["ę", -1, -1],
    ["į", -1, -1],
    ["enį", 189, -1],
    ["ų", -1, -1],
    ["ių", 191, -1],
  );
  a_1 = table(
    ["ing", -1, -1],
    ["aj", -1, -1],
    ["iaj", 1, -1],
    ["iej", -1, -1],
    ["oj", -1, -1],
    ["ioj", 4, -1],
    ["uoj", 4, -1],
    ["iuoj", 6, -1],
    ["auj", -1, -1],
    ["ąj", -1, -1],
    ["iąj", 9, -1],
    ["ėj", -1, -1],
    ["ųj", -1, -1],
    ["iųj", 12, -1],
    ["ok", -1, -1],
    ["iok", 14, -1],
    ["iuk", -1, -1],
    ["uliuk", 16, -1],
    ["učiuk", 16, -1],
    ["išk", -1, -1],
    ["iul", -1, -1],
    ["yl", -1, -1],
    ["ėl", -1, -1],
    ["am", -1, -1],
    ["dam", 23, -1],
    ["jam", 23, -1],
    ["zgan", -1, -1],
    ["ain", -1, -1],
    ["esn", -1, -1],
    ["op", -1, -1],
    ["iop", 29, -1],
    ["ias", -1, -1],
    ["ies", -1, -1],
    ["ais", -1, -1],
    ["iais", 33, -1],
    ["os", -1, -1],
    ["ios", 35, -1],
    ["uos", 35, -1],
    ["iuos", 37, -1],
    ["aus", -1, -1],
    ["iaus", 39, -1],
    ["ąs", -1, -1],
    ["iąs", 41, -1],
    ["ęs", -1, -1],
    ["utėait", -1, -1],
    ["ant", -1, -1],
    ["iant", 45, -1],
    ["siant", 46, -1],
    ["int", -1, -1],
    ["ot", -1, -1],
    ["uot", 49, -1],
    ["iuot", 50, -1],
    ["yt", -1, -1],
    ["ėt", -1, -1],
    ["ykšt", -1, -1],
    ["iau", -1, -1],
    ["dav", -1, -1],
    ["sv", -1, -1],
    ["šv", -1, -1],
    ["ykšč", -1, -1],
    ["ę", -1, -1],
    ["ėję", 60, -1],
  );
  a_2 = table(
    ["ojime", -1, 7],
    ["ėjime", -1, 3],
    ["avime", -1, 6],
    ["okate", -1, 8],
    ["aite", -1, 1],
    ["uote", -1, 2],
    ["asius", -1, 5],
    ["okatės", -1, 8],
    ["aitės", -1, 1],
    ["uotės", -1, 2],
    ["esiu", -1, 4],
  );
  as_2 = ["aitė", "uotė", "ėjimas", "esys", "asys", "avimas", "ojimas", "okatė"];
  a_3 = table(
    ["č", -1, 1],
    ["dž", -1, 2],
  );
  as_3 = ["t", "d"];
}

const program = new LithuanianStemmer();

/** ISO 639-1 code. */
export const language = "lt";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
