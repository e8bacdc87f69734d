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

class PortugueseStemmer extends Machine {
  g_v = new Set("aeiouáâéêíóôú");
  I_p2 = 0;
  I_p1 = 0;
  I_pV = 0;

  r_prelude() {
    let $among_var, $v_1;
    while (true) {
      $v_1 = this.cursor;
      lab0: {
        this.bra = this.cursor;
        $among_var = this.find_among(this.a_0);
        this.ket = this.cursor;
        if ($among_var === 1) {
          this.slice_from("a~");
        } else if ($among_var === 2) {
          this.slice_from("o~");
        } else {
          if (this.cursor >= this.limit) {
            break lab0;
          }
          this.cursor += 1;
        }
        continue;
      }
      this.cursor = $v_1;
      break;
    }
    return true;
  }

  r_mark_regions() {
    let $v_1, $v_2, $v_3, $v_4, $v_5;
    this.I_pV = this.limit;
    this.I_p1 = this.limit;
    this.I_p2 = this.limit;
    $v_1 = this.cursor;
    lab0: {
      while (true) {
        $v_2 = this.cursor;
        lab1: {
          if (!this.in_grouping(this.g_v)) {
            break lab1;
          }
          while (true) {
            $v_3 = this.cursor;
            lab2: {
              if (!this.out_grouping(this.g_v)) {
                break lab2;
              }
              if (!this.go_out_grouping(this.g_v)) {
                break lab2;
              }
              this.cursor += 1;
              break;
            }
            this.cursor = $v_3;
            if (!this.in_grouping(this.g_v)) {
              break lab1;
            }
            if (!this.go_in_grouping(this.g_v)) {
              break lab1;
            }
            this.cursor += 1;
            break;
          }
          break;
        }
        this.cursor = $v_2;
        if (!this.out_grouping(this.g_v)) {
          break lab0;
        }
        while (true) {
          $v_4 = this.cursor;
          lab1: {
            if (!this.out_grouping(this.g_v)) {
              break lab1;
            }
            if (!this.go_out_grouping(this.g_v)) {
              break lab1;
            }
            this.cursor += 1;
            break;
          }
          this.cursor = $v_4;
          if (!this.in_grouping(this.g_v)) {
            break lab0;
          }
          if (this.cursor >= this.limit) {
            break lab0;
          }
          this.cursor += 1;
          break;
        }
        break;
      }
      this.I_pV = this.cursor;
    }
    this.cursor = $v_1;
    $v_5 = this.cursor;
    lab0: {
      if (!this.go_out_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      if (!this.go_in_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      this.I_p1 = this.cursor;
      if (!this.go_out_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      if (!this.go_in_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      this.I_p2 = this.cursor;
    }
    this.cursor = $v_5;
    return true;
  }

  r_postlude() {
    let $among_var, $v_1;
    while (true) {
      $v_1 = this.cursor;
      lab0: {
        this.bra = this.cursor;
        $among_var = this.find_among(this.a_1);
        this.ket = this.cursor;
        if ($among_var === 1) {
          this.slice_from("ã");
        } else if ($among_var === 2) {
          this.slice_from("õ");
        } else {
          if (this.cursor >= this.limit) {
            break lab0;
          }
          this.cursor += 1;
        }
        continue;
      }
      this.cursor = $v_1;
      break;
    }
    return true;
  }

  r_RV() {
    return this.I_pV <= this.cursor;
  }

  r_R2() {
    return this.I_p2 <= this.cursor;
  }

  r_standard_suffix() {
    let $among_var, $v_1, $v_2, $v_3, $v_4;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_5);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 2) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_from("log");
    } else if ($among_var === 3) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_from("u");
    } else if ($among_var === 4) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_from("ente");
    } else if ($among_var === 5) {
      if (this.I_p1 > this.cursor) {
        return false;
      }
      this.slice_del();
      $v_1 = this.limit - this.cursor;
      lab0: {
        this.ket = this.cursor;
        $among_var = this.find_among_b(this.a_2);
        if ($among_var === 0) {
          this.cursor = this.limit - $v_1;
          break lab0;
        }
        this.bra = this.cursor;
        if (!this.r_R2()) {
          this.cursor = this.limit - $v_1;
          break lab0;
        }
        this.slice_del();
        if ($among_var === 1) {
          this.ket = this.cursor;
          if (!this.eq_s_b("at")) {
            this.cursor = this.limit - $v_1;
            break lab0;
          }
          this.bra = this.cursor;
          if (!this.r_R2()) {
            this.cursor = this.limit - $v_1;
            break lab0;
          }
          this.slice_del();
        }
      }
    } else if ($among_var === 6) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
      $v_2 = this.limit - this.cursor;
      lab0: {
        this.ket = this.cursor;
        if (this.find_among_b(this.a_3) === 0) {
          this.cursor = this.limit - $v_2;
          break lab0;
        }
        this.bra = this.cursor;
        if (!this.r_R2()) {
          this.cursor = this.limit - $v_2;
          break lab0;
        }
        this.slice_del();
      }
    } else if ($among_var === 7) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
      $v_3 = this.limit - this.cursor;
      lab0: {
        this.ket = this.cursor;
        if (this.find_among_b(this.a_4) === 0) {
          this.cursor = this.limit - $v_3;
          break lab0;
        }
        this.bra = this.cursor;
        if (!this.r_R2()) {
          this.cursor = this.limit - $v_3;
          break lab0;
        }
        this.slice_del();
      }
    } else if ($among_var === 8) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
      $v_4 = this.limit - this.cursor;
      lab0: {
        this.ket = this.cursor;
        if (!this.eq_s_b("at")) {
          this.cursor = this.limit - $v_4;
          break lab0;
        }
        this.bra = this.cursor;
        if (!this.r_R2()) {
          this.cursor = this.limit - $v_4;
          break lab0;
        }
        this.slice_del();
      }
    } else {
      if (!this.r_RV()) {
        return false;
      }
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "e") {
        return false;
      }
      this.cursor -= 1;
      this.slice_from("ir");
    }
    return true;
  }

  r_verb_suffix() {
    let $v_2;
    if (this.cursor < this.I_pV) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_pV;
    this.ket = this.cursor;
    if (this.find_among_b(this.a_6) === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.slice_del();
    this.limit_backward = $v_2;
    return true;
  }

  r_residual_suffix() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_7) === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_RV()) {
      return false;
    }
    this.slice_del();
    return true;
  }

  r_residual_form() {
    let $among_var, $v_1, $v_2, $v_3;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_8);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (!this.r_RV()) {
        return false;
      }
      this.slice_del();
      this.ket = this.cursor;
      while (true) {
        $v_1 = this.limit - this.cursor;
        lab0: {
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "u") {
            break lab0;
          }
          this.cursor -= 1;
          this.bra = this.cursor;
          $v_2 = this.limit - this.cursor;
          if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "g") {
            break lab0;
          }
          this.cursor -= 1;
          this.cursor = this.limit - $v_2;
          break;
        }
        this.cursor = this.limit - $v_1;
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "i") {
          return false;
        }
        this.cursor -= 1;
        this.bra = this.cursor;
        $v_3 = this.limit - this.cursor;
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "c") {
          return false;
        }
        this.cursor -= 1;
        this.cursor = this.limit - $v_3;
        break;
      }
      if (!this.r_RV()) {
        return false;
      }
      this.slice_del();
    } else {
      this.slice_from("c");
    }
    return true;
  }

  _stem() {
    let $v_1, $v_2, $v_3, $v_4, $v_5, $v_6, $v_7, $v_8, $v_9;
    $v_1 = this.cursor;
    this.r_prelude();
    this.cursor = $v_1;
    this.r_mark_regions();
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_2 = this.limit - this.cursor;
    lab0: {
      while (true) {
        $v_3 = this.limit - this.cursor;
        lab1: {
          $v_4 = this.limit - this.cursor;
          while (true) {
            $v_5 = this.limit - this.cursor;
            lab2: {
              if (!this.r_standard_suffix()) {
                break lab2;
              }
              break;
            }
            this.cursor = this.limit - $v_5;
            if (!this.r_verb_suffix()) {
              break lab1;
            }
            break;
          }
          this.cursor = this.limit - $v_4;
          $v_6 = this.limit - this.cursor;
          lab2: {
            this.ket = this.cursor;
            if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "i") {
              break lab2;
            }
            this.cursor -= 1;
            this.bra = this.cursor;
            $v_7 = this.limit - this.cursor;
            if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "c") {
              break lab2;
            }
            this.cursor -= 1;
            this.cursor = this.limit - $v_7;
            if (!this.r_RV()) {
              break lab2;
            }
            this.slice_del();
          }
          this.cursor = this.limit - $v_6;
          break;
        }
        this.cursor = this.limit - $v_3;
        if (!this.r_residual_suffix()) {
          break lab0;
        }
        break;
      }
    }
    this.cursor = this.limit - $v_2;
    $v_8 = this.limit - this.cursor;
    this.r_residual_form();
    this.cursor = this.limit - $v_8;
    this.cursor = this.limit_backward;
    $v_9 = this.cursor;
    this.r_postlude();
    this.cursor = $v_9;
    return true;
  }
  a_0 = table(
    ["", -1, 3],
    ["ã", 0, 1],
    ["õ", 0, 2],
  );
  a_1 = table(
    ["", -1, 3],
    ["a~", 0, 1],
    ["o~", 0, 2],
  );
  a_2 = table(
    ["ic", -1, -1],
    ["ad", -1, -1],
    ["os", -1, -1],
    ["iv", -1, 1],
  );
  a_3 = table(
    ["ante", -1, 1],
    ["avel", -1, 1],
    ["ível", -1, 1],
  );
  a_4 = table(
    ["ic", -1, 1],
    ["abil", -1, 1],
    ["iv", -1, 1],
  );
  a_5 = table(
    ["ica", -1, 1],
    ["ância", -1, 1],
    ["ência", -1, 4],
    ["logia", -1, 2],
    ["ira", -1, 9],
    ["adora", -1, 1],
    ["osa", -1, 1],
    ["ista", -1, 1],
    ["iva", -1, 8],
    ["eza", -1, 1],
    ["idade", -1, 7],
    ["ante", -1, 1],
    ["mente", -1, 6],
    ["amente", 12, 5],
    ["ável", -1, 1],
    ["ível", -1, 1],
    ["ico", -1, 1],
    ["ismo", -1, 1],
    ["oso", -1, 1],
    ["amento", -1, 1],
    ["imento", -1, 1],
    ["ivo", -1, 8],
    ["aça~o", -1, 1],
    ["uça~o", -1, 3],
    ["ador", -1, 1],
    ["icas", -1, 1],
    ["ências", -1, 4],
    ["logias", -1, 2],
    ["iras", -1, 9],
    ["adoras", -1, 1],
    ["osas", -1, 1],
    ["istas", -1, 1],
    ["ivas", -1, 8],
    ["ezas", -1, 1],
    ["idades", -1, 7],
    ["adores", -1, 1],
    ["antes", -1, 1],
    ["aço~es", -1, 1],
    ["uço~es", -1, 3],
    ["icos", -1, 1],
    ["ismos", -1, 1],
    ["osos", -1, 1],
    ["amentos", -1, 1],
    ["imentos", -1, 1],
    ["ivos", -1, 8],
  );
  a_6 = table(
    ["ada", -1, 1],
    ["ida", -1, 1],
    ["ia", -1, 1],
    ["aria", 2, 1],
    ["eria", 2, 1],
    ["iria", 2, 1],
    ["ara", -1, 1],
    ["era", -1, 1],
    ["ira", -1, 1],
    ["ava", -1, 1],
    ["asse", -1, 1],
    ["esse", -1, 1],
    ["isse", -1, 1],
    ["aste", -1, 1],
    ["este", -1, 1],
    ["iste", -1, 1],
    ["ei", -1, 1],
    ["arei", 16, 1],
    ["erei", 16, 1],
    ["irei", 16, 1],
    ["am", -1, 1],
    ["iam", 20, 1],
    ["ariam", 21, 1],
    ["eriam", 21, 1],
    ["iriam", 21, 1],
    ["aram", 20, 1],
    ["eram", 20, 1],
    ["iram", 20, 1],
    ["avam", 20, 1],
    ["em", -1, 1],
    ["arem", 29, 1],
    ["erem", 29, 1],
    ["irem", 29, 1],
    ["assem", 29, 1],
    ["essem", 29, 1],
    ["issem", 29, 1],
    ["ado", -1, 1],
    ["ido", -1, 1],
    ["ando", -1, 1],
    ["endo", -1, 1],
    ["indo", -1, 1],
    ["ara~o", -1, 1],
    ["era~o", -1, 1],
    ["ira~o", -1, 1],
    ["ar", -1, 1],
    ["er", -1, 1],
    ["ir", -1, 1],
    ["as", -1, 1],
    ["adas", 47, 1],
    ["idas", 47, 1],
    ["ias", 47, 1],
    ["arias", 50, 1],
    ["erias", 50, 1],
    ["irias", 50, 1],
    ["aras", 47, 1],
    ["eras", 47, 1],
    ["iras", 47, 1],
    ["avas", 47, 1],
    ["es", -1, 1],
    ["ardes", 58, 1],
    ["erdes", 58, 1],
    ["irdes", 58, 1],
    ["ares", 58, 1],
    ["eres", 58, 1],
    ["ires", 58, 1],
    ["asses", 58, 1],
    ["esses", 58, 1],
    ["isses", 58, 1],
    ["astes", 58, 1],
    ["estes", 58, 1],
    ["istes", 58, 1],
    ["is", -1, 1],
    ["ais", 71, 1],
    ["eis", 71, 1],
    ["areis", 73, 1],
    ["ereis", 73, 1],
    ["ireis", 73, 1],
    ["áreis", 73, 1],
    ["éreis", 73, 1],
    ["íreis", 73, 1],
    ["ásseis", 73, 1],
    ["ésseis", 73, 1],
    ["ísseis", 73, 1],
    ["áveis", 73, 1],
    ["íeis", 73, 1],
    ["aríeis", 84, 1],
    ["eríeis", 84, 1],
    ["iríeis", 84, 1],
    ["ados", -1, 1],
    ["idos", -1, 1],
    ["amos", -1, 1],
    ["áramos", 90, 1],
    ["éramos", 90, 1],
    ["íramos", 90, 1],
    ["ávamos", 90, 1],
    ["íamos", 90, 1],
    ["aríamos", 95, 1],
    ["eríamos", 95, 1],
    ["iríamos", 95, 1],
    ["emos", -1, 1],
    ["aremos", 99, 1],
    ["eremos", 99, 1],
    ["iremos", 99, 1],
    ["ássemos", 99, 1],
    ["êssemos", 99, 1],
    ["íssemos", 99, 1],
    ["imos", -1, 1],
    ["armos", -1, 1],
    ["ermos", -1, 1],
    ["irmos", -1, 1],
    ["ámos", -1, 1],
    ["arás", -1, 1],
    ["erás", -1, 1],
    ["irás", -1, 1],
    ["eu", -1, 1],
    ["iu", -1, 1],
    ["ou", -1, 1],
    ["ará", -1, 1],
    ["erá", -1, 1],
    ["irá", -1, 1],
  );
  a_7 = table(
    ["a", -1, 1],
    ["i", -1, 1],
    ["o", -1, 1],
    ["os", -1, 1],
    ["á", -1, 1],
    ["í", -1, 1],
    ["ó", -1, 1],
  );
  a_8 = table(
    ["e", -1, 1],
    ["ç", -1, 2],
    ["é", -1, 1],
    ["ê", -1, 1],
  );
}

const program = new PortugueseStemmer();

/** ISO 639-1 code. */
export const language = "pt";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
